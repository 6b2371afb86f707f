#include "mapping.h"

#include "errors.h"
#include "limits.h"

#include <access/xact.h>
#include <catalog/pg_authid_d.h>
#include <miscadmin.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <utils/acl.h>
#include <utils/memutils.h>

#define MILLISECONDS_BETWEEN_CHECKS 10

static volatile sig_atomic_t in_use;
static volatile sig_atomic_t was_shortened;
static uintptr_t page_size;
static struct sigaction handler_before;

/// Puts ones where the file has ended, so that the call in progress can return.
static void on_bus_error(int signal, siginfo_t* info, void* unused) {
    void* const page = (void*)((uintptr_t)info->si_addr & ~(page_size - 1)); // NOLINT
    if (in_use && info->si_code == BUS_ADRERR &&
        mmap(page, page_size, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1,
             0) == page) {
        memset(page, 0xff, page_size);
        was_shortened = 1;
        return;
    }
    sigaction(SIGBUS, &handler_before, NULL); // it comes again, to whom it would have come
}

static void install_handler(void) {
    struct sigaction action;
    if (page_size != 0) return;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    sigaction(SIGBUS, &action, &handler_before);
}

void bloom_begin_use(void) {
    was_shortened = 0;
    in_use = 1;
    __asm__ volatile("" ::: "memory");
}

/// Whether the file has ended where it was used.
static bool ended_early(void) {
    __asm__ volatile("" ::: "memory");
    in_use = 0;
    return was_shortened != 0;
}

static void forget(bloom_mapping* mapping) {
    if (mapping->handle == NULL) return;
    const MemoryContext own = GetMemoryChunkContext(mapping->handle);
    mapping->handle = NULL;
    MemoryContextDelete(own);
}

static void refuse_shortened(bloom_mapping* mapping) {
    forget(mapping);
    ereport(ERROR, errcode(ERRCODE_DATA_CORRUPTED),
            errmsg("the file \"%s\" was shortened while it was in use", mapping->path),
            errhint("Replace a filter by renaming the new file to its name, as bloomery does."));
}

void bloom_end_use(bloom_mapping* mapping) {
    if (unlikely(ended_early())) refuse_shortened(mapping);
}

void bloom_require_file_access(void) {
    if (has_privs_of_role(GetUserId(), ROLE_PG_READ_SERVER_FILES)) return;
    ereport(ERROR, errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
            errmsg("permission denied to read files of the server"),
            errhint("Only superusers and members of the role pg_read_server_files may do that."));
}

bloom_mapping* bloom_new_mapping(MemoryContext context) {
    bloom_mapping* const made = MemoryContextAllocZero(context, sizeof *made);
    made->context = context;
    install_handler();
    return made;
}

static int64 milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (int64)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static struct stat state_of(const char* path) {
    struct stat found;
    if (stat(path, &found) != 0) {
        ereport(ERROR, errcode_for_file_access(), errmsg("cannot read \"%s\": %m", path));
    }
    if (!S_ISREG(found.st_mode)) {
        ereport(ERROR, errcode(ERRCODE_WRONG_OBJECT_TYPE),
                errmsg("\"%s\" is not a regular file", path));
    }
    return found;
}

static bool is_same_file(const bloom_mapping* mapping, const struct stat* found) {
    const struct stat* const known = &mapping->file;
    return known->st_dev == found->st_dev && known->st_ino == found->st_ino &&
           known->st_size == found->st_size &&
           // what is mapped may be changed in place
           (mapping->is_mapped || (known->st_mtim.tv_sec == found->st_mtim.tv_sec &&
                                   known->st_mtim.tv_nsec == found->st_mtim.tv_nsec));
}

/// Other kinds and formats cannot be mapped.
static bloomery_status load(bloom_mapping* mapping, bloom_handle* handle) {
    bloomery_read_options how = bloom_native_reading();
    how.format = NULL; // any
    bloom_require_size((uint64)mapping->file.st_size);
    return bloomery_load(mapping->path, &how, &handle->filter);
}

static void open_file(bloom_mapping* mapping) {
    const MemoryContext own =
        AllocSetContextCreate(mapping->context, "mapped filter", ALLOCSET_SMALL_SIZES);
    mapping->handle = bloom_new_handle(own);
    mapping->is_mapped = true;
    bloom_begin_use();
    bloomery_status status = bloomery_map(mapping->path, false, NULL, &mapping->handle->filter);
    bloom_end_use(mapping);
    if (status == BLOOMERY_UNSUPPORTED || status == BLOOMERY_BAD_DATA) {
        mapping->is_mapped = false;
        status = load(mapping, mapping->handle);
    }
    if (status != BLOOMERY_OK) forget(mapping);
    bloom_require(status);
}

static void set_path(bloom_mapping* mapping, const char* path, size_t path_size) {
    forget(mapping);
    if (mapping->path != NULL) pfree(mapping->path);
    mapping->path = NULL;
    char* const copy = MemoryContextAlloc(mapping->context, path_size + 1);
    memcpy(copy, path, path_size);
    copy[path_size] = '\0';
    mapping->path = copy;
    mapping->path_size = path_size;
}

/// Compares with the file that has this name now.
static void check(bloom_mapping* mapping) {
    const TimestampTz statement = GetCurrentStatementStartTimestamp();
    const int64 now = milliseconds();
    if (mapping->handle != NULL && mapping->user == GetUserId() &&
        mapping->statement == statement && now - mapping->checked < MILLISECONDS_BETWEEN_CHECKS) {
        return;
    }
    bloom_require_file_access();
    const struct stat found = state_of(mapping->path);
    if (mapping->handle == NULL || !is_same_file(mapping, &found)) {
        forget(mapping);
        mapping->file = found;
        open_file(mapping);
    }
    mapping->user = GetUserId();
    mapping->statement = statement;
    mapping->checked = now;
}

const bloomery_filter* bloom_mapped(bloom_mapping* mapping, const char* path, size_t path_size) {
    if (mapping->path == NULL || mapping->path_size != path_size ||
        memcmp(mapping->path, path, path_size) != 0) {
        bloom_require_file_access();
        set_path(mapping, path, path_size);
    }
    check(mapping);
    return mapping->handle->filter;
}
