// Random histories of puts, erases, gets, rebuilds and crashes, against a model.
//
// A run has several lives. Each is a process of its own: it opens the guard, checks that it answers
// for every key as the source does, and lets threads loose on it. Most lives are ended by SIGKILL,
// somewhere in or around a call to the source or a step of a rebuild; the source and the filter's
// file are all that the next life finds.
//
// Each of the first keys is written by one thread, which numbers its writes. A get by any thread
// must then return the result of one of these writes: the last that had ended when the get began,
// or a later one that had begun when the get ended. The other keys are written by all threads; they
// are compared when all writes have ended. Filters are so small that keys share most of their bits.
#include <bloomery/guard/guard.hpp>
#include <bloomery/guard/store.hpp>

#include "random.hpp"
#include "shared_source.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace bloomery {
namespace {

using testing::shared_source;
namespace fs = std::filesystem;

constexpr std::size_t writers = 3;
constexpr std::size_t own_keys = 2 * writers;
constexpr std::uint64_t most_writes = 512;

/// What processes tell each other besides the source.
struct ledger {
    struct of_key {
        std::atomic<std::uint64_t> begun{0};
        std::atomic<std::uint64_t> ended{0};
        std::array<std::atomic<bool>, most_writes> is_erase{};
    };
    std::array<of_key, shared_source::key_count> keys{};
    std::atomic<std::uint64_t> checks{0};
    std::array<std::atomic<char>, 256> complaint{};

    void complain(const std::string& what) {
        for (std::size_t i = 0; i < what.size() && i + 1 < complaint.size(); ++i) {
            complaint[i] = what[i];
        }
    }
    [[nodiscard]] std::string text() const {
        std::string made;
        for (const auto& one : complaint) {
            if (one == '\0') break;
            made += one;
        }
        return made;
    }
};

template <class T>
T* shared() {
    return new (
        ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) T;
}

/// How a life is lived; drawn from its seed.
struct fate {
    std::uint64_t seed;
    bool crashes;
    bool keeps_file;
    bool only_writer;
    bool caches;
    rate planned;
    std::atomic<int> pauses_left{0}; ///< until SIGKILL
};

class life {
public:
    life(const shared_source& source, ledger& book, fate& how, fs::path file)
        : source_(source), book_(book), how_(how), file_(std::move(file)) {
        source_.pause = [this] { pause(); };
    }

    /// The whole of it. Never returns if it crashes.
    template <class Filter>
    void live() {
        guard_options options;
        options.least_items = 8;
        options.planned = how_.planned;
        options.only_writer = how_.only_writer;
        options.on_step = [this](guard_step) { pause(); };
        if (how_.keeps_file) options.file = file_;
        using cache = store::memory_cache;
        guard<Filter, cache, shared_source> under_test(cache(how_.caches ? 4 : 0), source_,
                                                       options);
        compare(under_test);
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < writers; ++i) {
            threads.emplace_back([&, i] { write_and_read(under_test, i); });
        }
        threads.emplace_back([&] { look_after(under_test); });
        for (std::thread& one : threads) {
            one.join();
        }
        compare(under_test);
    }

private:
    void pause() {
        if (how_.crashes && --how_.pauses_left == 0) {
            ::kill(::getpid(), SIGKILL);
        }
        thread_local testing::random_source chance(how_.seed + shared_source::thread);
        switch (chance.below(8)) {
        case 0:
            std::this_thread::sleep_for(std::chrono::microseconds(chance.below(60)));
            break;
        case 1:
        case 2:
            std::this_thread::yield();
            break;
        default:
            break;
        }
    }

    template <class Guard>
    void compare(Guard& under_test) {
        for (std::size_t at = 0; at < shared_source::key_count; ++at) {
            const std::string key = shared_source::key(at);
            const auto truth = source_.get(key);
            if (under_test.get(key) != truth) {
                book_.complain("at rest " + key + " was " + truth.value_or("absent"));
            }
            ++book_.checks;
        }
    }

    template <class Guard>
    void write_and_read(Guard& under_test, std::size_t me) {
        shared_source::thread = me + 1;
        testing::random_source chance(how_.seed * 7 + me);
        for (int i = 0; i < 10; ++i) {
            const std::size_t mine = me + writers * chance.below(2);
            switch (chance.below(6)) {
            case 0:
            case 1:
                change(mine, false, [&](const std::string& key, const std::string& value) {
                    under_test.put(key, value);
                });
                break;
            case 2:
                change(mine, true, [&](const std::string& key, const std::string& /*value*/) {
                    under_test.erase(key);
                });
                break;
            case 3:
                change_common(under_test, chance);
                break;
            case 4:
                read(under_test, chance.below(own_keys));
                break;
            default:
                read_many(under_test);
                break;
            }
        }
    }

    template <class Guard>
    static void change_common(Guard& under_test, testing::random_source& chance) {
        const std::string key = shared_source::key(own_keys + chance.below(2));
        if (chance.below(2) == 0) {
            under_test.put(key, std::to_string(1 + chance.below(100)));
        } else {
            under_test.erase(key);
        }
    }

    template <class Change>
    void change(std::size_t at, bool is_erase, Change change) {
        ledger::of_key& key = book_.keys[at];
        const std::uint64_t number = key.begun + 1;
        key.is_erase.at(number) = is_erase;
        key.begun = number;
        change(shared_source::key(at), std::to_string(number));
        key.ended = number;
    }

    template <class Guard>
    void read(Guard& under_test, std::size_t at) {
        const std::uint64_t from = book_.keys[at].ended;
        const auto found = under_test.get(shared_source::key(at));
        check(at, from, found);
    }
    template <class Guard>
    void read_many(Guard& under_test) {
        std::vector<std::string> names;
        std::vector<std::uint64_t> from;
        for (std::size_t at = 0; at < shared_source::key_count; ++at) {
            names.push_back(shared_source::key(at));
            from.push_back(book_.keys[at].ended);
        }
        const std::vector<std::string_view> keys(names.begin(), names.end());
        const auto found = under_test.get_many(keys);
        for (std::size_t at = 0; at < own_keys; ++at) {
            check(at, from[at], found[at]);
        }
    }

    void check(std::size_t at, std::uint64_t from, const std::optional<std::string>& found) {
        const ledger::of_key& key = book_.keys[at];
        ++book_.checks;
        for (std::uint64_t number = from; number <= key.begun; ++number) {
            const bool absent = number == 0 || key.is_erase.at(number);
            if (absent ? !found : found == std::to_string(number)) return;
        }
        book_.complain("k" + std::to_string(at) + " was " + found.value_or("absent") + ", writes " +
                       std::to_string(from) + " to " + std::to_string(key.begun));
    }

    template <class Guard>
    void look_after(Guard& under_test) {
        shared_source::thread = writers + 1;
        testing::random_source chance(how_.seed * 11);
        for (int i = 0; i < 4; ++i) {
            switch (chance.below(5)) {
            case 0:
            case 1:
                under_test.rebuild();
                break;
            case 2:
                under_test.start_rebuild();
                break;
            case 3:
                under_test.checkpoint();
                break;
            default:
                under_test.catch_up();
                break;
            }
            pause();
        }
    }

    shared_source source_;
    ledger& book_;
    fate& how_;
    fs::path file_;
};

/// The writes that a kill cut short were made or not: the source knows.
void settle(const shared_source& source, ledger& book) {
    for (std::size_t at = 0; at < shared_source::key_count; ++at) {
        ledger::of_key& key = book.keys[at];
        const std::uint64_t value = source->values[at];
        if (key.begun != key.ended) {
            const bool made =
                key.is_erase.at(key.begun) ? value == shared_source::absent : value == key.begun;
            if (!made) key.begun = key.ended.load();
            key.ended = key.begun.load();
        }
    }
}

template <class Filter>
std::string run(std::uint64_t seed, const fs::path& folder, std::uint64_t& checks,
                std::uint64_t& kills) {
    testing::random_source chance(seed);
    static const shared_source source;
    static ledger* const book = shared<ledger>();
    new (source.operator->()) shared_source::memory;
    new (book) ledger;
    for (const auto& one : fs::directory_iterator(folder)) {
        fs::remove(one.path());
    }
    const bool keeps_file = chance.below(4) != 0;
    const bool only_writer = chance.below(2) != 0;
    const rate planned{std::array{0.01, 0.2, 0.5}.at(chance.below(3))};
    const std::uint64_t lives = 1 + chance.below(3);
    for (std::uint64_t i = 0; i < lives; ++i) {
        fate how{chance.next(), i + 1 < lives,        keeps_file,
                 only_writer,   chance.below(2) != 0, planned};
        how.pauses_left = 1 + static_cast<int>(chance.below(160));
        const pid_t child = ::fork();
        if (child == 0) {
            life(source, *book, how, folder / "filter").live<Filter>();
            ::_exit(0);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        if (!(WIFEXITED(status) && WEXITSTATUS(status) == 0) &&
            !(how.crashes && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)) {
            return "a life ended by itself, with status " + std::to_string(status);
        }
        kills += WIFSIGNALED(status) ? 1U : 0U;
        if (!book->text().empty()) return book->text();
        settle(source, *book);
    }
    checks += book->checks;
    return {};
}

/// Where files cost no disk, if there is such a place: a kill loses nothing of the page cache.
class model_folder {
public:
    model_folder() {
        std::string name = fs::is_directory("/dev/shm") ? "/dev/shm/bloomery-model-XXXXXX"
                                                        : "/tmp/bloomery-model-XXXXXX";
        path_ = ::mkdtemp(name.data());
    }
    ~model_folder() { fs::remove_all(path_); }
    model_folder(const model_folder&) = delete;
    model_folder& operator=(const model_folder&) = delete;
    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

template <class Filter>
void run_all(std::uint64_t first, std::uint64_t runs) {
    const model_folder folder;
    std::uint64_t checks = 0;
    std::uint64_t kills = 0;
    for (std::uint64_t seed = first; seed < first + runs; ++seed) {
        const std::string complaint = run<Filter>(seed, folder.path(), checks, kills);
        ASSERT_EQ(complaint, "") << "seed " << seed;
    }
    EXPECT_GT(checks, runs * 16);
    EXPECT_GT(kills, runs / 4);
    ::testing::Test::RecordProperty("checks", std::to_string(checks));
    ::testing::Test::RecordProperty("kills", std::to_string(kills));
}

TEST(HistoriesLong, OfAPlainFilterHaveNoFalseNegative) { run_all<filter>(1, 6000); }
TEST(HistoriesLong, OfACountingFilterHaveNoFalseNegative) {
    run_all<counting_filter>(100'001, 4000);
}
TEST(Histories, AreTheSameUnderASanitizer) {
    run_all<filter>(200'001, 60);
    run_all<counting_filter>(300'001, 60);
}

} // namespace
} // namespace bloomery
