/* Waits and tests: which requests they were about, and which of them they completed. */
#include <stdlib.h>

#include "index.h"
#include "trace_parts.h"

/* It takes its place among its like when it is there, which is at the same call on every rank. */
static void meet_made_comm(const struct traced_request *r)
{
    const struct call c = {.binding = r->made_in_fortran ? BINDING_F : BINDING_C};
    comms_find(
        call_key(&c, r->made_in_fortran ? *(const uint32_t *)r->made_comm : abi_handle_at(r->made_comm, 0)));
}

static void complete(int32_t number, const void *status)
{
    struct traced_request *r = traced_at(number);
    if (r->matches && r->place && status && !r->cancelled)
        spool_set_match(r->place, rank_number(abi_status_source(status)), abi_status_tag(status));
    if (r->made_comm) meet_made_comm(r);
    r->active = false;
    r->place = 0;
    if (!r->persistent) traced_remove(number);
}

void trace_wait_one(const struct call *c, const struct before *b)
{
    int32_t number = b->n ? traced_find(b->handle) : TRACED_NONE;
    bool done = !c->f->flag || *(const int *)call_argument(c, c->f->flag);
    struct draft d = trace_begin(c);
    if (number != TRACED_NONE && traced_at(number)->persistent && !traced_at(number)->active)
        number = TRACED_NONE;
    if (done && c->f->flag) d.words[0] |= 1 << 12;
    uint64_t *numbers = draft_vector(&d, MEMBER_REQUESTS, number != TRACED_NONE);
    if (numbers) numbers[0] = (uint64_t)number;
    const struct trace_times t = times_of(c);
    draft_write(&d, &t);
    if (done && number != TRACED_NONE) complete(number, b->statuses);
}

/* Requests of the array that are open, with their places in it. */
struct open_requests {
    uint64_t n;
    int32_t *numbers;  /* [n] */
    uint64_t *indices; /* [n] in the array of the call */
    int32_t few_numbers[ACCOUNT_FEW];
    uint64_t few_indices[ACCOUNT_FEW];
    void *allocated;
};

static bool find_open(const struct before *b, struct open_requests *open)
{
    open->n = 0;
    open->allocated = NULL;
    open->numbers = open->few_numbers;
    open->indices = open->few_indices;
    if (b->n > ACCOUNT_FEW) {
        open->allocated = malloc(b->n * (sizeof *open->numbers + sizeof *open->indices));
        if (!open->allocated) return false;
        open->indices = open->allocated;
        open->numbers = (int32_t *)(void *)(open->indices + b->n);
    }
    traced_begin_array();
    for (uint64_t i = 0; i < b->n; i++) {
        int32_t number = traced_find_next(b->keys[i]);
        if (number == TRACED_NONE || (traced_at(number)->persistent && !traced_at(number)->active)) continue;
        open->indices[open->n] = i;
        open->numbers[open->n++] = number;
    }
    return true;
}

/* Position among the open requests of an index of the call; SIZE_MAX: none. They ascend. */
static uint64_t position_of(const struct open_requests *open, uint64_t index)
{
    uint64_t low = 0, high = open->n;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (open->indices[middle] < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low < open->n && open->indices[low] == index ? low : SIZE_MAX;
}

/* How many were completed, and the i-th of them as the call gives it. */
static int n_completed(const struct call *c, const struct before *b)
{
    if (c->f->flag && *(const int *)call_argument(c, c->f->flag) == 0) return 0;
    if (c->f->kind == KIND_WAITALL) return (int)b->n;
    int given = *(const int *)call_argument(c, c->f->index);
    if (given == abi.undefined) return 0;
    return c->f->kind == KIND_WAITANY ? 1 : given;
}

static uint64_t completed_index(const struct call *c, int i)
{
    if (c->f->kind == KIND_WAITALL) return (uint64_t)i;
    unsigned position = c->f->kind == KIND_WAITANY ? c->f->index : c->f->indices;
    return (uint64_t)(((const int *)call_argument(c, position))[i] - index_base(c));
}

void trace_wait_many(const struct call *c, const struct before *b)
{
    struct open_requests open;
    if (!find_open(b, &open)) return;
    struct draft d = trace_begin(c);
    int n = n_completed(c, b);
    bool some = c->f->kind != KIND_WAITALL, single = c->f->kind == KIND_WAITANY;
    bool yes = c->f->flag ? *(const int *)call_argument(c, c->f->flag) != 0 : c->id == ID_Testsome && n > 0;
    if (yes) d.words[0] |= 1 << 12;
    uint64_t *numbers = draft_vector(&d, MEMBER_REQUESTS, open.n);
    for (uint64_t i = 0; numbers && i < open.n; i++) numbers[i] = (uint64_t)open.numbers[i];
    uint64_t *completed = some ? draft_vector(&d, MEMBER_COMPLETED, (size_t)n) : NULL, n_known = 0;
    for (int i = 0; completed && i < n; i++) {
        uint64_t position = position_of(&open, completed_index(c, i));
        if (position != SIZE_MAX) completed[n_known++] = position;
    }
    if (completed) draft_shorten(&d, MEMBER_COMPLETED, completed, n_known);
    const struct trace_times t = times_of(c);
    draft_write(&d, &t);
    for (int i = 0; i < n; i++) {
        uint64_t position = position_of(&open, completed_index(c, i));
        if (position == SIZE_MAX) continue;
        const char *status = b->statuses ? b->statuses + (single ? 0 : (size_t)i * abi.status_bytes) : NULL;
        complete(open.numbers[position], status);
    }
    free(open.allocated);
}

void trace_end_request(const struct call *c, const struct before *b)
{
    int32_t number = traced_find(b->handle);
    struct draft d = trace_begin(c);
    draft_add_number(&d, MEMBER_REQUEST, number);
    const struct trace_times t = times_of(c);
    draft_write(&d, &t);
    if (number == TRACED_NONE) return;
    if (c->f->kind == KIND_CANCEL)
        traced_at(number)->cancelled = true;
    else
        traced_remove(number);
}
