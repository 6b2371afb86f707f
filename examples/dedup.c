/* How many words of a text are new? In C.
 *
 *     dedup TEXT FILTER
 *
 * Reads the words of a file, adds them to the filter in the other file, which is created if it does
 * not exist, and prints how many were new. Words are added a batch at a time, as one array of bytes
 * and one of offsets. */
#include <bloomery.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { batch_words = 4096, batch_bytes = 1 << 16, longest_word = 256 };

/* The next words of a file, one after another, each with its end. */
struct batch {
    char bytes[batch_bytes];
    int32_t offsets[batch_words + 1];
    uint64_t count;
};

static void fail(const char* what) {
    fprintf(stderr, "dedup: %s: %s\n", what, bloomery_last_error());
    exit(1);
}

/* A batch ends between two words, where the next one might not fit. Longer words are cut. */
static uint64_t read_words(FILE* from, struct batch* into) {
    int32_t size = 0, start = 0; /* of the word that is being read */
    int c;
    into->count = 0;
    into->offsets[0] = 0;
    while (into->count < batch_words && start <= batch_bytes - longest_word &&
           (c = getc(from)) != EOF) {
        if (!isalpha(c)) {
            if (size > start) into->offsets[++into->count] = start = size;
        } else if (size - start < longest_word) {
            into->bytes[size++] = (char)tolower(c);
        }
    }
    if (size > start) into->offsets[++into->count] = size;
    return into->count;
}

static bloomery_filter* open_filter(const char* path) {
    bloomery_filter* seen = NULL;
    const bloomery_status status = bloomery_load(path, NULL, &seen);
    if (status == BLOOMERY_IO_ERROR && bloomery_last_system_error() == ENOENT) {
        if (bloomery_new(100000, 0.001, &seen) != BLOOMERY_OK) fail("cannot make a filter");
    } else if (status != BLOOMERY_OK) {
        fail("cannot open the filter");
    }
    return seen;
}

int main(int argc, char** argv) {
    static struct batch words;
    uint64_t all = 0, fresh = 0, count = 0;
    bloomery_filter* seen;
    bloomery_statistics now = bloomery_statistics_init();
    FILE* text;
    if (argc != 3) {
        fprintf(stderr, "usage: dedup TEXT FILTER\n");
        return 2;
    }
    text = fopen(argv[1], "r");
    if (text == NULL) {
        perror(argv[1]);
        return 1;
    }
    seen = open_filter(argv[2]);
    while (read_words(text, &words) != 0) {
        const bloomery_keys keys = bloomery_keys_offsets32(words.bytes, words.offsets, words.count);
        if (bloomery_try_insert_many(seen, &keys, NULL, &count) != BLOOMERY_OK)
            fail("cannot add words");
        all += words.count;
        fresh += count;
    }
    if (ferror(text)) {
        perror(argv[1]);
        return 1;
    }
    fclose(text);
    if (bloomery_statistics_of(seen, &now) != BLOOMERY_OK) fail("cannot describe the filter");
    if (bloomery_save(seen, argv[2], NULL) != BLOOMERY_OK) fail("cannot save the filter");
    printf("%llu words, %llu of them new; the filter has about %.0f words and a false-positive "
           "rate of %.2g %%\n",
           (unsigned long long)all, (unsigned long long)fresh, now.items, 100 * now.expected_rate);
    bloomery_close(seen);
    return 0;
}
