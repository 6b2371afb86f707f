// Filters of the library in the server's memory contexts: a filter is closed when its context ends,
// also after an error or a cancelled query.
#ifndef BLOOMERY_POSTGRES_HANDLE_H
#define BLOOMERY_POSTGRES_HANDLE_H

#include <postgres.h>

#include <bloomery.h>

/// A filter and the callback that closes it. The structure exists before the filter does, so that
/// nothing can fail in between.
typedef struct bloom_handle {
    bloomery_filter* filter; ///< null: none
    MemoryContextCallback on_reset;
} bloom_handle;

/// An empty handle that lives as long as the context.
bloom_handle* bloom_new_handle(MemoryContext context);
/// Closes the filter of a handle before its context ends.
void bloom_close(bloom_handle* handle);
/// Moves the filter to another handle, whose own is closed.
void bloom_move(bloom_handle* to, bloom_handle* from);

/// Something that the library allocated, freed with the current context or by bloom_end_loan.
typedef struct bloom_loan {
    void* memory;
    MemoryContextCallback on_reset;
} bloom_loan;

bloom_loan* bloom_new_loan(void);
void bloom_end_loan(bloom_loan* loan);

#endif
