/*
 * Code without instrumentation writes behind our back. Before a call that may go there, the blocks that it is
 * given pointers to are copied; afterwards the words that differ have a new value, which comes of the call's
 * arguments if these carry anything, and is input otherwise: of the word, or, on the stack, of the one that
 * it is copied into from there (`scanf("%lf", &x); a[i] = x;`). A word that was written with what it held
 * keeps its value. Blocks that are too large to copy are input altogether.
 */
#include "valueflow/runtime/process/outside.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "valueflow/runtime/blocks/block.h"
#include "valueflow/runtime/blocks/cells.h"
#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/library/fortran.h"
#include "valueflow/runtime/process/guard.h"
#include "valueflow/runtime/process/region.h"
#include "valueflow/runtime/tables/hash.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/value.h"

enum {
    MOST_COPIED = 4 << 20,
    MOST_OF_STRUCTURE = 512,
    MOST_PASSING = 4096 * 8, /* bytes of a variable on the stack that numbers are read into and copied from */
    MOST_LABELS = 16,
    FOLLOWED = 4096
};

struct copied {
    uintptr_t base;
    size_t bytes, at; /* in `bytes_copied`; SIZE_MAX: too large */
    uint32_t step;    /* bytes that are looked at together: of a number on the stack 4 */
    bool is_passing;
};

struct call {
    const void *function,
        *frame; /* frame: its caller's, by which calls that were left in another way are found */
    uint32_t known, n_labels, labels[MOST_LABELS];
    uint32_t first_block;
    size_t first_byte;
    bool is_told; /* it reads a number in text that every process has */
};

static struct call *calls;
static struct copied *blocks;
static unsigned char *copies;
static size_t call_capacity, block_capacity, copy_capacity, n_copied;
static uint32_t n_calls, n_blocks;
static const void *followed[FOLLOWED]; /* functions that were seen to be instrumented */

static const void **place_of(const void *function)
{
    return &followed[(uintptr_t)function >> 4 & (FOLLOWED - 1)];
}

/* Functions of the C library that pointers in the program lead to, by address; what they do, but for
 * VF_KNOWN_NOT. */
static struct vf_hash known = {.width = 2};

static uint32_t *known_at(const void *function)
{
    uint64_t where = (uint64_t)(uintptr_t)function;
    uint32_t key[2] = {(uint32_t)where, (uint32_t)(where >> 32)};
    return vf_hash_at(&known, key);
}

void parcast_vf_known(const void *function, uint32_t kind)
{
    uint32_t *at = function ? known_at(function) : NULL; /* a weak one may be nowhere */
    if (!at || *at) return;
    *at = kind;
    vf_hash_added(&known);
}

bool vf_is_told(const void *text)
{
    if (!vf_has_cell((uintptr_t)text)) return false;
    unsigned size;
    return vf_leaf((uintptr_t)text, &size)->value == VF_CONSTANT;
}

static bool writes_nothing(uint32_t kind)
{
    return kind >= VF_KNOWN_PURE && kind <= VF_KNOWN_INPUT;
}

static void drop_call(void)
{
    const struct call *last = &calls[--n_calls];
    n_blocks = last->first_block;
    n_copied = last->first_byte;
}

/* The stack grows downwards: what has a lower frame was left by an exception or a longjmp. */
static void drop_left(const void *frame)
{
    while (n_calls && (uintptr_t)calls[n_calls - 1].frame < (uintptr_t)frame) drop_call();
}

/* What is mapped may be protected, or gone by the time it is looked at: how many bytes of it could be read.
 */
static size_t read_mapped(void *to, uintptr_t from, size_t bytes)
{
    const struct iovec here = {to, bytes}, there = {(void *)from, bytes}; // NOLINT(performance-no-int-to-ptr)
    ssize_t n = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    if (n < 0 && errno != EFAULT) {            /* where reading so is not allowed */
        memcpy(to, (const void *)from, bytes); // NOLINT(performance-no-int-to-ptr)
        return bytes;
    }
    if (n < 0) return 0;
    return (size_t)n == bytes ? bytes : (size_t)n & ~(size_t)7; /* a variable may be less than a word */
}

/* Blocks of the allocator do not begin with a page. */
static bool is_mapped(uintptr_t base)
{
    enum { PAGE = 4096 };
    return base % PAGE == 0;
}

static size_t read_block(void *to, uintptr_t from, size_t bytes)
{
    if (is_mapped(from)) return read_mapped(to, from, bytes);
    memcpy(to, (const void *)from, bytes); // NOLINT(performance-no-int-to-ptr)
    return bytes;
}

static void copy_block(struct call *call, uintptr_t base, size_t bytes)
{
    for (uint32_t i = call->first_block; i < n_blocks; i++)
        if (blocks[i].base == base) return;
    const struct vf_block *block = vf_blocks_find(base);
    bool is_passing = block && block->kind == VF_FRAME && bytes <= MOST_PASSING;
    uint32_t step = is_passing && (base | bytes) & 7 ? 4 : 8;
    uintptr_t end = (base + bytes) & ~(uintptr_t)(step - 1);
    base &= ~(uintptr_t)(step - 1);
    bytes = end > base ? end - base : 0;
    blocks = vf_grow(blocks, &block_capacity, sizeof *blocks, n_blocks);
    blocks[n_blocks] = (struct copied){base, bytes, SIZE_MAX, step, is_passing};
    if (bytes <= MOST_COPIED) {
        copies = vf_grow(copies, &copy_capacity, 1, n_copied + bytes);
        bytes = read_block(copies + n_copied, base, bytes);
        blocks[n_blocks].bytes = bytes;
        blocks[n_blocks].at = n_copied;
        n_copied += bytes;
    }
    n_blocks++;
}

/* What a small block points to is within reach, too: a descriptor's array, the fields of a structure. */
static void copy_reachable(struct call *call, const void *pointer)
{
    uintptr_t base, inner;
    size_t bytes, inner_bytes;
    if (!vf_block_around((uintptr_t)pointer, &base, &bytes)) return;
    copy_block(call, base, bytes);
    if (bytes > MOST_OF_STRUCTURE || is_mapped(base)) return;
    const uintptr_t *word =
        (const uintptr_t *)((base + 7) & ~(uintptr_t)7); // NOLINT(performance-no-int-to-ptr)
    for (size_t i = 0; (uintptr_t)(word + i + 1) <= base + bytes; i++)
        if (vf_block_around(word[i], &inner, &inner_bytes)) copy_block(call, inner, inner_bytes);
}

/* Of its arguments, and of those that it is given in lists. */
static uint32_t labels_of_call(const void *function, uint32_t n_pointers, const void *const *pointers,
                               uint32_t *flat)
{
    const uint32_t *labels;
    uint32_t all[VF_MOST_FLAT], n = vf_call_arguments(function, &labels), n_more;
    if (n > VF_MOST_FLAT) n = VF_MOST_FLAT;
    if (n) memcpy(all, labels, n * sizeof *all);
    for (uint32_t i = 0; i < n_pointers; i++) {
        n_more = vf_list_labels(pointers[i], &labels);
        for (uint32_t j = 0; j < n_more && n < VF_MOST_FLAT; j++) all[n++] = labels[j];
    }
    return vf_flatten(n, all, flat);
}

static struct call *add_call(const void *function, const void *frame, uint32_t n_pointers,
                             const void *const *pointers)
{
    uint32_t flat[VF_MOST_FLAT], n = labels_of_call(function, n_pointers, pointers, flat);
    calls = vf_grow(calls, &call_capacity, sizeof *calls, n_calls);
    struct call *call = &calls[n_calls++];
    *call =
        (struct call){.function = function, .frame = frame, .first_block = n_blocks, .first_byte = n_copied};
    call->known = *known_at(function);
    call->n_labels = n < MOST_LABELS ? n : MOST_LABELS;
    memcpy(call->labels, flat, call->n_labels * sizeof *flat);
    return call;
}

/* What a function that is followed reads from them is nothing that it could follow. */
static void lose_lists(uint32_t n, const void *const *pointers)
{
    for (uint32_t i = 0; i < n; i++) vf_list_lost(pointers[i]);
}

void parcast_vf_outside_begin(const void *function, uint32_t n, const void *const *pointers)
{
    if (!vf_tracing) return;
    if (*place_of(function) == function) {
        lose_lists(n, pointers);
        return;
    }
    if (vf_fortran_begin(function, n, pointers)) return;
    const void *frame = __builtin_frame_address(0);
    drop_left(frame);
    struct call *call = add_call(function, frame, n, pointers);
    call->is_told = call->known == VF_KNOWN_INPUT && n && vf_is_told(pointers[0]);
    for (uint32_t i = 0; i < n && !writes_nothing(call->known); i++)
        if (pointers[i]) copy_reachable(call, pointers[i]);
}

static struct call *call_of(const void *function)
{
    return n_calls && calls[n_calls - 1].function == function ? &calls[n_calls - 1] : NULL;
}

uint32_t vf_outside_result(const void *function)
{
    if (vf_fortran_is(function)) return vf_fortran_result();
    const struct call *call = call_of(function);
    if (call && call->known == VF_KNOWN_INPUT) return call->is_told ? VF_UNTOUCHED : vf_from_outside();
    if (!call || !call->n_labels || call->known == VF_KNOWN_READS) return VF_UNTOUCHED;
    return parcast_vf_result("a function without instrumentation", 1, call->n_labels, call->labels);
}

static void pass(uintptr_t address, uint32_t size)
{
    struct vf_cell *cell = vf_place(address, size);
    uint32_t input = vf_input(cell, address, size), id = vf_read_in(input);
    vf_hold(id);
    vf_release(input);
    cell->value = id;
}

/* The word, or a part of it, has been written. */
static void renew(const struct call *call, const struct copied *block, uintptr_t address, uint32_t size)
{
    void *p = (void *)address; // NOLINT(performance-no-int-to-ptr)
    if (call->n_labels)
        parcast_vf_store(p, size, 1, call->n_labels, call->labels);
    else
        vf_forget_word(address, size);
    if (!call->n_labels && block->is_passing) pass(address, size);
}

static void compare_part(const struct call *call, const struct copied *block, size_t at, uint32_t size,
                         const unsigned char *now)
{
    uintptr_t address = block->base + at;
    if (memcmp(now, copies + block->at + at, size) == 0) return;
    const struct vf_cell *cell = vf_cell_at(address, size);
    if (!cell || cell->value != VF_SPLIT) {
        renew(call, block, address, size);
        return;
    }
    compare_part(call, block, at, size / 2, now);
    compare_part(call, block, at + size / 2, size / 2, now + size / 2);
}

static void compare_word(const struct call *call, const struct copied *block, size_t at,
                         const unsigned char *now)
{
    if (!call->n_labels && !vf_cell_of(block->base + at)->value && !block->is_passing) return;
    compare_part(call, block, at, block->step, now);
}

static void compare_block(const struct call *call, const struct copied *block)
{
    if (block->at == SIZE_MAX) {
        vf_forget(block->base, block->bytes);
        return;
    }
    static unsigned char *present;
    static size_t capacity;
    const unsigned char *now = (const unsigned char *)block->base; // NOLINT(performance-no-int-to-ptr)
    size_t bytes = block->bytes;
    if (is_mapped(block->base)) {
        present = vf_grow(present, &capacity, 1, bytes);
        bytes = read_mapped(present, block->base, bytes);
        now = present;
    }
    for (size_t i = 0; i + block->step <= bytes; i += block->step) compare_word(call, block, i, now + i);
}

/* A virtual function of the C++ library, by which `out << std::endl` widens its character, has no name in the
 * program. What it does is what the library's other functions do. */
static bool is_of_library(const void *function)
{
    Dl_info info;
    if (!dladdr(function, &info) || !info.dli_fname) return false;
    if (!strstr(info.dli_fname, "libstdc++.") && !strstr(info.dli_fname, "libc++.")) return false;
    parcast_vf_known(function, VF_KNOWN_WRITES);
    return true;
}

void parcast_vf_call_outside(const void *function, const char *name, uint32_t n, const void *const *pointers)
{
    vf_fortran_note(function, n, pointers);
    if (!vf_tracing) return;
    if (vf_fortran_is(function)) {
        vf_fortran_end();
        return;
    }
    if (vf_call_returned(function)) {
        if (*place_of(function) != function) lose_lists(n, pointers); /* otherwise told before */
        *place_of(function) = function;
        if (call_of(function)) drop_call();
        return;
    }
    *place_of(function) = NULL;
    const struct call *call = call_of(function);
    bool is_news = name && (!call || call->known == VF_KNOWN_NOT);
    if (is_news && !is_of_library(function)) vf_report(VF_REPORT_CALL, name);
    if (!call) return;
    for (uint32_t i = call->first_block; i < n_blocks; i++) compare_block(call, &blocks[i]);
    drop_call();
}
