#include "handle.h"

#include <utils/memutils.h>

static void close_filter(void* handle) { bloom_close(handle); }

bloom_handle* bloom_new_handle(MemoryContext context) {
    bloom_handle* const made = MemoryContextAllocZero(context, sizeof *made);
    made->on_reset.func = close_filter;
    made->on_reset.arg = made;
    MemoryContextRegisterResetCallback(context, &made->on_reset);
    return made;
}

void bloom_close(bloom_handle* handle) {
    bloomery_filter* const filter = handle->filter;
    handle->filter = NULL;
    bloomery_close(filter);
}

void bloom_move(bloom_handle* to, bloom_handle* from) {
    bloom_close(to);
    to->filter = from->filter;
    from->filter = NULL;
}

static void free_loan(void* loan) { bloom_end_loan(loan); }

bloom_loan* bloom_new_loan(void) {
    bloom_loan* const made = palloc0(sizeof *made);
    made->on_reset.func = free_loan;
    made->on_reset.arg = made;
    MemoryContextRegisterResetCallback(CurrentMemoryContext, &made->on_reset);
    return made;
}

void bloom_end_loan(bloom_loan* loan) {
    void* const memory = loan->memory;
    loan->memory = NULL;
    bloomery_free_memory(memory);
}
