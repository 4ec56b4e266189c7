/*
 * Statements about whole arrays are calls of flang's runtime, which is not instrumented. What it is given are
 * descriptors: where an array lies, how long its elements are, and extent and distance in every dimension
 * (the layout of ISO_Fortran_binding.h). From these the labels are moved, or added up, as the elements are.
 */
#include "valueflow/runtime/library/fortran.h"

#include <string.h>

#include "valueflow/runtime/blocks/block.h"
#include "valueflow/runtime/blocks/record.h"
#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/library/fortran_array.h"
#include "valueflow/runtime/process/outside.h"

enum { DERIVED_TYPE = 42, HAS_ADDENDUM = 1 };

/* Their addresses where the program uses them. */
#define FOLLOWED(name, kind, op) extern void name(void) __attribute__((weak));
#include "valueflow/runtime/library/fortran.def"
#undef FOLLOWED

static const struct vf_followed list[] = {
#define FOLLOWED(name, kind, op) {name, VF_##kind, VF_OP_##op},
#include "valueflow/runtime/library/fortran.def"
#undef FOLLOWED
};

enum { KNOWN = 256 };
static const struct vf_followed *known[KNOWN]; /* by address; the others are looked for one by one */

struct vf_call vf_call;

static const struct vf_followed *find(const void *function)
{
    const struct vf_followed **place = &known[(uintptr_t)function >> 4 & (KNOWN - 1)];
    if (*place && (const void *)(*place)->function == function) return *place;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].function && (const void *)list[i].function == function) return *place = &list[i];
    return NULL;
}

/* What flang 19 knows of a derived type (runtime/type-info.h), as far as it is asked for. */
enum {
    TYPE_BYTES = 88,        /* 8: of a value */
    TYPE_ASSIGNMENTS = 424, /* 4: bits 1 and 2 where the program defines what = does */
    TYPE_IS_OF_BYTES = 430, /* 1: no component is allocated */
    DEFINED_ASSIGNMENTS = 6,
};

/* Is a value of the type copied as the bytes that it consists of? Another layout of the record has another
 * number where the length is. */
static bool is_of_bytes(const struct vf_descriptor *d)
{
    const unsigned char *type;
    uint64_t bytes;
    uint32_t assignments;
    memcpy(&type, &d->dim[d->rank], sizeof type);
    if (d->type != DERIVED_TYPE || !type) return false;
    memcpy(&bytes, type + TYPE_BYTES, sizeof bytes);
    if (bytes != d->bytes) return false;
    memcpy(&assignments, type + TYPE_ASSIGNMENTS, sizeof assignments);
    return type[TYPE_IS_OF_BYTES] == 1 && !(assignments & DEFINED_ASSIGNMENTS);
}

/* Is it text of the command line that is being read? Numbers in that have no home, as in C. */
static bool is_reading_told;

static bool may_follow_text(enum vf_followed_kind kind)
{
    if (kind == VF_READING)
        is_reading_told = vf_is_told((const void *)vf_call.arguments[0]); // NOLINT(performance-no-int-to-ptr)
    if (kind == VF_READ) is_reading_told = false;
    return kind == VF_TOLD ? vf_argument(1) && vf_argument(1)->base : kind == VF_NUMBER && is_reading_told;
}

static bool may_follow(const struct vf_followed *what)
{
    if (what->kind >= VF_TOLD) return may_follow_text(what->kind);
    bool gathers = what->kind <= VF_FILL,
         reads = gathers || what->kind == VF_PUSHED || what->kind == VF_STACKED;
    if (what->kind == VF_NOTHING || what->kind == VF_UNSTACKED) return true;
    const struct vf_descriptor *source = vf_argument(1);
    if (reads && source->extra & HAS_ADDENDUM && !is_of_bytes(source)) return false;
    return !reads || source->base;
}

bool vf_fortran_begin(const void *function, uint32_t n, const void *const *arguments)
{
    const struct vf_followed *what = find(function);
    if (!what || (n < 2 && what->kind < VF_UNSTACKED)) return false;
    memset(vf_call.arguments, 0, sizeof vf_call.arguments);
    for (uint32_t i = 0; i < n && i < VF_MOST_ARGUMENTS; i++) vf_call.arguments[i] = (uintptr_t)arguments[i];
    if (!may_follow(what)) return false;
    if (what->kind == VF_STACKED && !vf_stack_begin()) return false;
    vf_call.function = function;
    vf_call.what = what;
    if (what->kind <= VF_FILL) vf_gather(vf_argument(1));
    if (what->kind == VF_PUSHED || what->kind == VF_PUSHED_ONE) vf_push_begin();
    return true;
}

bool vf_fortran_is(const void *function)
{
    return vf_call.function && vf_call.function == function;
}

uint32_t vf_fortran_result(void)
{
    if (vf_call.what->kind == VF_TOTAL) return vf_total(4);
    if (vf_call.what->kind == VF_REDUCED) return vf_total(5);
    return vf_call.what->kind == VF_DOT ? vf_dot() : VF_UNTOUCHED;
}

extern void _FortranACopyInAssign(void) __attribute__((weak));

/* What a section is copied into for a procedure that wants its elements side by side is copied back and freed
 * behind the call: a workspace, whatever is done with it. */
static void note_copy(const struct vf_descriptor *made)
{
    const struct vf_block *block = vf_blocks_find((uintptr_t)made->base);
    if (vf_call.function != (const void *)_FortranACopyInAssign || !block || block->object) return;
    vf_group_is_workspace(vf_group_of(block->kind, block->context, block->bytes, block->name));
}

void vf_fortran_end(void)
{
    bool is_one = vf_call.what->kind == VF_COMPLEX_TOTAL || vf_call.what->kind == VF_COMPLEX_DOT ||
                  vf_call.what->kind >= VF_TOLD;
    const struct vf_descriptor *result = vf_argument(0);
    bool has = !is_one && result && result->base;
    switch (vf_call.what->kind) {
    case VF_ASSIGN:
        if (has) note_copy(result);
        if (has) vf_scatter(result);
        break;
    case VF_MOVE:
    case VF_FILL:
        if (has) vf_move(result);
        break;
    case VF_ALONG:
        if (has) vf_along(result, 2, 5);
        break;
    case VF_PLACES:
        if (has) vf_along(result, 3, 6);
        break;
    case VF_FOUND:
        if (has) vf_along(result, 4, 7);
        break;
    case VF_TRUTHS:
        if (has) vf_along(result, 2, 0);
        break;
    case VF_REDUCED_ALONG:
        if (has) vf_along(result, 5, 6);
        break;
    case VF_PLACE:
        if (has) vf_found_place(result, 5);
        break;
    case VF_PLACE_FOUND:
        if (has) vf_found_place(result, 6);
        break;
    case VF_PRODUCT:
    case VF_TRANSPOSED:
        if (has) vf_multiply(result, vf_call.what->kind == VF_TRANSPOSED);
        break;
    case VF_INITIAL:
        if (has) vf_begin_anew(result);
        break;
    case VF_COMPLEX_TOTAL:
        vf_complex_total((unsigned char *)vf_call.arguments[0]); // NOLINT(performance-no-int-to-ptr)
        break;
    case VF_COMPLEX_DOT:
        vf_complex_dot((unsigned char *)vf_call.arguments[0]); // NOLINT(performance-no-int-to-ptr)
        break;
    case VF_PUSHED:
    case VF_PUSHED_ONE:
        vf_push_end();
        break;
    case VF_STACKED:
        vf_stack_end();
        break;
    case VF_UNSTACKED:
        vf_stack_forget();
        break;
    case VF_TOLD:
        parcast_vf_clear(vf_argument(1)->base, vf_argument(1)->bytes);
        break;
    case VF_NUMBER:
        parcast_vf_clear((void *)vf_call.arguments[1], // NOLINT(performance-no-int-to-ptr)
                         vf_call.arguments[2] ? vf_call.arguments[2] : sizeof(double));
        break;
    case VF_TOTAL:
    case VF_REDUCED:
    case VF_DOT:
    case VF_NOTHING:
    case VF_READING:
    case VF_READ:
        break;
    }
    vf_drop_labels();
    vf_call.function = NULL;
}

/* ---- allocations ---- */

extern void _FortranAAllocatableAllocate(void) __attribute__((weak));
extern void _FortranAPointerAllocate(void) __attribute__((weak));
extern void _FortranAPointerAllocateSource(void) __attribute__((weak));

/* Behind what a pointer is allocated flang keeps a word of its own, by which it knows it again. */
static void leave_out_mark(const struct vf_descriptor *d)
{
    enum { WORD = sizeof(uintptr_t) };
    uint64_t bytes = d->bytes * vf_elements_of(d), mark = (bytes + WORD - 1) / WORD * WORD;
    struct vf_block *block = vf_blocks_find((uintptr_t)d->base);
    if (bytes && block && block->base == (uintptr_t)d->base && block->bytes == mark + WORD)
        block->bytes = bytes;
}

/* Places in an array that a descriptor leads to are computed in bytes: no index of them counts structures. */
void vf_fortran_note(const void *function, uint32_t n, const void *const *arguments)
{
    if (!function || !n) return;
    bool is_pointer = function == (const void *)_FortranAPointerAllocate ||
                      function == (const void *)_FortranAPointerAllocateSource;
    if (!is_pointer && function != (const void *)_FortranAAllocatableAllocate) return;
    const struct vf_descriptor *d = arguments[0];
    if (is_pointer && d && d->base) leave_out_mark(d);
    if (d && d->base && d->rank && d->type == DERIVED_TYPE)
        vf_record_note((uintptr_t)d->base, (uint32_t)d->bytes);
}
