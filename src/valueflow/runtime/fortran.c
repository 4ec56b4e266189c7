/*
 * Statements about whole arrays are calls of flang's runtime, which is not instrumented. What it is given are
 * descriptors: where an array lies, how long its elements are, and extent and distance in every dimension
 * (the layout of ISO_Fortran_binding.h). From these the labels are moved, or added up, as the elements are.
 *
 * Which element goes where in cshift, reshape, pack and the like is asked of the function itself: it is
 * called once more for an array of numbers in place of the elements.
 */
#include "valueflow/runtime/fortran.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/runtime/record.h"
#include "valueflow/runtime/tables.h"
#include "valueflow/runtime/value.h"
#include "valueflow/runtime/vector.h"

enum {
    MOST_DIMENSIONS = 15,
    INT32 = 9,
    COMPLEX4 = 34,
    COMPLEX8 = 35,
    DERIVED_TYPE = 42,
    HAS_ADDENDUM = 1,
    MOST_ARGUMENTS = 8
};
enum kind {
    ASSIGN,
    MOVE,
    SHIFT,
    FILL,
    TOTAL,
    DOT,
    COMPLEX_TOTAL,
    COMPLEX_DOT,
    ALONG,
    PLACES,
    FOUND,
    TRUTHS,
    PRODUCT,
    TRANSPOSED,
    INITIAL
};
/* As in the instrumenter's enum fold_op. */
enum {
    OP_NONE = 0,
    OP_ADD = 1,
    OP_MULTIPLY = 2,
    OP_AND = 3,
    OP_OR = 4,
    OP_MIN = 6,
    OP_MAX = 7,
    OP_CHOICE = 8
};

struct dimension {
    int64_t lower, extent, stride; /* stride in bytes */
};

struct descriptor {
    unsigned char *base;
    uint64_t bytes; /* of an element */
    int32_t version;
    uint8_t rank;
    int8_t type;
    uint8_t attribute, extra;
    struct dimension dim[MOST_DIMENSIONS + 1]; /* the last for an addendum */
};

/* Their addresses where the program uses them. */
#define FOLLOWED(name, kind, op) extern void name(void) __attribute__((weak));
#include "valueflow/runtime/fortran.def"
#undef FOLLOWED

static const struct followed {
    void (*function)(void);
    enum kind kind;
    uint32_t op;
} list[] = {
#define FOLLOWED(name, kind, op) {name, kind, OP_##op},
#include "valueflow/runtime/fortran.def"
#undef FOLLOWED
};

enum { KNOWN = 256 };
static const struct followed *known[KNOWN]; /* by address; the others are looked for one by one */

extern uint64_t parcast_vf_flop; /* region.c */

/* The call at hand, and labels of elements from before it. */
static struct {
    const void *function;
    const struct followed *what;
    uintptr_t arguments[MOST_ARGUMENTS];
    uint32_t *labels, units; /* units: words or halves of an element */
    size_t capacity, n;      /* n: elements */
    bool is_scalar;
} call;

static const struct followed *find(const void *function)
{
    const struct followed **place = &known[(uintptr_t)function >> 4 & (KNOWN - 1)];
    if (*place && (const void *)(*place)->function == function) return *place;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].function && (const void *)list[i].function == function) return *place = &list[i];
    return NULL;
}

/* ---- elements ---- */

static size_t elements_of(const struct descriptor *d)
{
    size_t n = 1;
    for (int i = 0; i < d->rank; i++) n *= d->dim[i].extent > 0 ? (size_t)d->dim[i].extent : 0;
    return n;
}

/* In the order of Fortran: the first dimension runs fastest. */
static unsigned char *element(const struct descriptor *d, size_t number)
{
    unsigned char *p = d->base;
    for (int i = 0; i < d->rank; i++) {
        size_t extent = (size_t)d->dim[i].extent;
        p += (int64_t)(number % extent) * d->dim[i].stride;
        number /= extent;
    }
    return p;
}

static uint32_t unit_bytes(const struct descriptor *d)
{
    return d->bytes >= 8 && d->bytes % 8 == 0 && (uintptr_t)d->base % 8 == 0 ? 8 : 4;
}

static uint32_t units_of(const struct descriptor *d)
{
    uint64_t n = d->bytes / unit_bytes(d);
    return n ? (uint32_t)n : 1;
}

static uint32_t label_at(const void *p, uint32_t bytes)
{
    return bytes == 8 ? parcast_vf_load8(p) : parcast_vf_load4(p);
}

/* The real and the imaginary part are numbers of their own; of anything else there is one part. */
static uint32_t parts_of(const struct descriptor *d)
{
    return d->type == COMPLEX4 || d->type == COMPLEX8 ? 2 : 1;
}

static uint32_t part_bytes(const struct descriptor *d)
{
    return parts_of(d) == 2 ? (uint32_t)d->bytes / 2 : unit_bytes(d);
}

static uint32_t label_of(const unsigned char *p, const struct descriptor *d, uint32_t part)
{
    return label_at(p + (size_t)part * part_bytes(d), part_bytes(d));
}

static void put_at(void *p, uint32_t bytes, uint32_t label)
{
    if (bytes == 8)
        parcast_vf_copy8(p, label);
    else
        parcast_vf_copy4(p, label);
}

static void gather(const struct descriptor *d)
{
    uint32_t bytes = unit_bytes(d);
    call.n = elements_of(d);
    call.units = units_of(d);
    call.is_scalar = d->rank == 0;
    call.labels = vf_grow(call.labels, &call.capacity, sizeof *call.labels, call.n * call.units);
    for (size_t i = 0; i < call.n; i++)
        for (uint32_t j = 0; j < call.units; j++) {
            uint32_t label = label_at(element(d, i) + (size_t)j * bytes, bytes);
            vf_hold_register(label);
            call.labels[i * call.units + j] = label;
        }
}

static void drop_labels(void)
{
    for (size_t i = 0; i < call.n * call.units; i++) vf_release_register(call.labels[i]);
    call.n = 0;
}

/* Element `from` of what was gathered, to another of perhaps another type. */
static void put_element(unsigned char *p, const struct descriptor *d, size_t from)
{
    uint32_t bytes = unit_bytes(d), units = units_of(d);
    for (uint32_t j = 0; j < units; j++) {
        uint32_t unit = j < call.units ? j : call.units - 1;
        put_at(p + (size_t)j * bytes, bytes, call.labels[from * call.units + unit]);
    }
}

static void scatter(const struct descriptor *d)
{
    size_t n = elements_of(d);
    for (size_t i = 0; i < n && (call.is_scalar ? call.n : i < call.n); i++)
        put_element(element(d, i), d, call.is_scalar ? 0 : i);
}

/* What a derived type says its components are, and nothing, where it does not. */
static void begin_anew(const struct descriptor *d)
{
    size_t n = elements_of(d);
    for (size_t i = 0; i < n; i++) parcast_vf_clear(element(d, i), d->bytes);
}

/* ---- what moves elements ---- */

static struct descriptor numbers_like(const struct descriptor *d, int32_t *numbers)
{
    struct descriptor like = *d;
    int64_t stride = sizeof *numbers;
    like.base = (unsigned char *)numbers;
    like.bytes = sizeof *numbers;
    like.type = INT32;
    like.attribute = like.extra = 0;
    for (int i = 0; i < d->rank; i++) {
        like.dim[i].stride = stride;
        stride *= d->dim[i].extent;
    }
    return like;
}

/* The copy ends with the dimensions that there are. */
static struct descriptor copy_of(const struct descriptor *d)
{
    struct descriptor copy = {0};
    memcpy(&copy, d, offsetof(struct descriptor, dim) + d->rank * sizeof *d->dim);
    return copy;
}

typedef void (*transformation)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                               uintptr_t);

/* Elements that come from nowhere have number 0. */
static void ask(const struct descriptor *numbers, struct descriptor *moved)
{
    uintptr_t a[MOST_ARGUMENTS];
    memcpy(a, call.arguments, sizeof a);
    a[0] = (uintptr_t)moved;
    a[1] = (uintptr_t)numbers;
    if (call.what->kind != MOVE) a[3] = 0;                           /* a boundary of the elements' type */
    transformation again = (transformation)(uintptr_t)call.function; // NOLINT(performance-no-int-to-ptr)
    again(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
}

static void move(const struct descriptor *result)
{
    const struct descriptor *source = (const struct descriptor *)call.arguments[1]; // NOLINT
    struct descriptor moved = {0}, copy = copy_of(source);
    int32_t *numbers = malloc((call.n ? call.n : 1) * sizeof *numbers);
    if (!numbers || call.n > INT32_MAX) {
        free(numbers);
        return;
    }
    for (size_t i = 0; i < call.n; i++) numbers[i] = (int32_t)i + 1;
    struct descriptor like = numbers_like(&copy, numbers);
    ask(&like, &moved);
    size_t n = elements_of(result);
    for (size_t i = 0; moved.base && i < n; i++) {
        int32_t from;
        memcpy(&from, moved.base + i * sizeof from, sizeof from);
        if (from)
            put_element(element(result, i), result, (size_t)from - 1);
        else
            parcast_vf_clear(element(result, i), result->bytes);
    }
    free(moved.base);
    free(numbers);
}

/* ---- what adds up ---- */

static bool is_masked_out(const struct descriptor *mask, size_t number)
{
    if (!mask || !mask->base) return false;
    const unsigned char *p = element(mask, mask->rank ? number : 0);
    for (uint64_t i = 0; i < mask->bytes; i++)
        if (p[i]) return false;
    return true;
}

static uint32_t value_of(struct parcast_vf_sum *sum, uint32_t op)
{
    static const char site[] = "a sum of a whole array";
    uint32_t id = parcast_vf_sum_value(sum, site, 1, op);
    if (!vf_carries(id)) {
        parcast_vf_sum_free(sum);
        return id;
    }
    vf_hold_register(id); /* beyond the sum's own */
    parcast_vf_sum_free(sum);
    vf_values[id].references -= VF_REGISTER; /* who keeps the label keeps it */
    return id;
}

static const struct descriptor *argument(int i)
{
    return (const struct descriptor *)call.arguments[i]; // NOLINT(performance-no-int-to-ptr)
}

static uint32_t total(void)
{
    struct parcast_vf_sum sum = {0};
    const struct descriptor *x = argument(0), *mask = argument(4);
    parcast_vf_sum_start(&sum, 0, NULL);
    size_t n = elements_of(x);
    parcast_vf_flop += n;
    for (size_t i = 0; i < n; i++)
        if (!is_masked_out(mask, i)) parcast_vf_sum_term1(&sum, label_at(element(x, i), unit_bytes(x)));
    return value_of(&sum, call.what->op);
}

/* Of complex numbers, both parts of both come into either part. */
static void add_product(struct parcast_vf_sum *sum, const unsigned char *p, const struct descriptor *x,
                        const unsigned char *q, const struct descriptor *y, uint32_t part)
{
    bool is_complex = parts_of(x) == 2 && parts_of(y) == 2;
    parcast_vf_sum_term2(sum, label_of(p, x, 0), label_of(q, y, is_complex ? part : 0));
    if (is_complex) parcast_vf_sum_term2(sum, label_of(p, x, 1), label_of(q, y, !part));
}

/* Operations on real numbers for one of these numbers: a product, and the addition of it. */
static size_t flop_of_product(const struct descriptor *x)
{
    return parts_of(x) == 2 ? 8 : 2;
}

static uint32_t dot(void)
{
    struct parcast_vf_sum sum = {0};
    const struct descriptor *x = argument(0), *y = argument(1);
    parcast_vf_sum_start(&sum, 0, NULL);
    size_t n = elements_of(x);
    parcast_vf_flop += flop_of_product(x) * n;
    for (size_t i = 0; i < n; i++) add_product(&sum, element(x, i), x, element(y, i), y, 0);
    return value_of(&sum, call.what->op);
}

static void end_sum(struct parcast_vf_sum *sum, unsigned char *p, const struct descriptor *result,
                    uint32_t part)
{
    uint32_t bytes = part_bytes(result);
    p += (size_t)part * bytes;
    if (sum->n)
        parcast_vf_sum_store(sum, p, bytes, 1, call.what->op);
    else
        parcast_vf_clear(p, bytes);
    parcast_vf_sum_free(sum);
}

/* To a part of a sum one of the number that is added, to one of a product both. */
static void add_number(struct parcast_vf_sum *sum, const unsigned char *p, const struct descriptor *x,
                       uint32_t part, bool has_parts)
{
    if (has_parts && call.what->op == OP_MULTIPLY)
        parcast_vf_sum_term2(sum, label_of(p, x, 0), label_of(p, x, 1));
    else
        parcast_vf_sum_term1(sum, label_of(p, x, part));
}

static size_t flop_of_number(const struct descriptor *x)
{
    if (parts_of(x) == 1) return 1;
    return call.what->op == OP_MULTIPLY ? 6 : 2;
}

/* Complex results are written where the first argument leads to; they are of the elements' type. */
static void complex_total(unsigned char *result)
{
    const struct descriptor *x = argument(1), *mask = argument(5);
    size_t n = elements_of(x);
    parcast_vf_flop += n * flop_of_number(x);
    for (uint32_t part = 0; part < parts_of(x); part++) {
        struct parcast_vf_sum sum = {0};
        parcast_vf_sum_start(&sum, 0, NULL);
        for (size_t i = 0; i < n; i++)
            if (!is_masked_out(mask, i)) add_number(&sum, element(x, i), x, part, true);
        end_sum(&sum, result, x, part);
    }
}

static void complex_dot(unsigned char *result)
{
    const struct descriptor *x = argument(1), *y = argument(2);
    size_t n = elements_of(x);
    parcast_vf_flop += n * flop_of_product(x);
    for (uint32_t part = 0; part < parts_of(x); part++) {
        struct parcast_vf_sum sum = {0};
        parcast_vf_sum_start(&sum, 0, NULL);
        for (size_t i = 0; i < n; i++) add_product(&sum, element(x, i), x, element(y, i), y, part);
        end_sum(&sum, result, x, part);
    }
}

/* result(i, k) = sum over j of x(i, j, k), with j in the dimension that is given: the argument of that
 * number, and a mask after the source's file and line where there may be one. */
static void along(const struct descriptor *result, int dimension, bool may_be_masked)
{
    const struct descriptor *x = argument(1), *mask = may_be_masked ? argument(dimension + 3) : NULL;
    int d = (int)call.arguments[dimension] - 1;
    if (d < 0 || d >= x->rank) return;
    size_t before = 1, extent = x->dim[d].extent > 0 ? (size_t)x->dim[d].extent : 0, n = elements_of(result);
    uint32_t parts = parts_of(result);
    parcast_vf_flop += n * extent * flop_of_number(x);
    for (int i = 0; i < d; i++) before *= (size_t)x->dim[i].extent;
    for (size_t r = 0; r < n * parts; r++) {
        struct parcast_vf_sum sum = {0};
        size_t to = r / parts, first = to % before + to / before * before * extent;
        uint32_t part = (uint32_t)(r % parts);
        parcast_vf_sum_start(&sum, 0, NULL);
        for (size_t j = 0; j < extent; j++)
            if (!is_masked_out(mask, first + j * before))
                add_number(&sum, element(x, first + j * before), x, part, parts == 2);
        end_sum(&sum, element(result, to), result, part);
    }
}

static unsigned char *at(const struct descriptor *d, size_t i, size_t j)
{
    return d->base + (int64_t)i * d->dim[0].stride + (d->rank > 1 ? (int64_t)j * d->dim[1].stride : 0);
}

/* One element of the result, or one part of it. */
static void multiply_one(const struct descriptor *result, size_t i, size_t j, bool is_transposed,
                         uint32_t part)
{
    const struct descriptor *x = argument(1), *y = argument(2);
    bool row = x->rank == 1;
    size_t n = (size_t)y->dim[0].extent;
    struct parcast_vf_sum sum = {0};
    parcast_vf_sum_start(&sum, 0, NULL);
    for (size_t k = 0; k < n; k++) {
        const unsigned char *a = row ? at(x, k, 0) : is_transposed ? at(x, k, i) : at(x, i, k);
        add_product(&sum, a, x, at(y, k, j), y, part);
    }
    end_sum(&sum, row ? at(result, j, 0) : at(result, i, j), result, part);
}

/* Of two matrices, or a matrix and a vector on either side. */
static void multiply(const struct descriptor *result, bool is_transposed)
{
    const struct descriptor *x = argument(1), *y = argument(2);
    size_t n = (size_t)y->dim[0].extent, rows = x->rank == 1 ? 1 : (size_t)x->dim[is_transposed].extent,
           columns = y->rank == 1 ? 1 : (size_t)y->dim[1].extent;
    parcast_vf_flop += flop_of_product(x) * n * rows * columns;
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++)
            for (uint32_t part = 0; part < parts_of(result); part++)
                multiply_one(result, i, j, is_transposed, part);
}

/* ---- the call ---- */

static bool may_follow(const struct followed *what)
{
    bool gathers = what->kind <= FILL;
    const struct descriptor *source = argument(1);
    if (what->kind == FILL && call.arguments[3]) return false; /* elements from a third array */
    if (gathers && source->extra & HAS_ADDENDUM) return false; /* components may have arrays of their own */
    return !gathers || source->base;
}

bool vf_fortran_begin(const void *function, uint32_t n, const void *const *arguments)
{
    const struct followed *what = find(function);
    if (!what || n < 2) return false;
    memset(call.arguments, 0, sizeof call.arguments);
    for (uint32_t i = 0; i < n && i < MOST_ARGUMENTS; i++) call.arguments[i] = (uintptr_t)arguments[i];
    if (!may_follow(what)) return false;
    call.function = function;
    call.what = what;
    if (what->kind <= FILL) gather(argument(1));
    return true;
}

bool vf_fortran_is(const void *function)
{
    return call.function && call.function == function;
}

uint32_t vf_fortran_result(void)
{
    if (call.what->kind == TOTAL) return total();
    return call.what->kind == DOT ? dot() : VF_UNTOUCHED;
}

void vf_fortran_end(void)
{
    bool is_one = call.what->kind == COMPLEX_TOTAL || call.what->kind == COMPLEX_DOT;
    const struct descriptor *result = argument(0);
    bool has = !is_one && result && result->base;
    switch (call.what->kind) {
    case ASSIGN:
        if (has) scatter(result);
        break;
    case MOVE:
    case SHIFT:
    case FILL:
        if (has) move(result);
        break;
    case ALONG:
        if (has) along(result, 2, true);
        break;
    case PLACES:
        if (has) along(result, 3, true);
        break;
    case FOUND:
        if (has) along(result, 4, true);
        break;
    case TRUTHS:
        if (has) along(result, 2, false);
        break;
    case PRODUCT:
    case TRANSPOSED:
        if (has) multiply(result, call.what->kind == TRANSPOSED);
        break;
    case INITIAL:
        if (has) begin_anew(result);
        break;
    case COMPLEX_TOTAL:
        complex_total((unsigned char *)call.arguments[0]); // NOLINT(performance-no-int-to-ptr)
        break;
    case COMPLEX_DOT:
        complex_dot((unsigned char *)call.arguments[0]); // NOLINT(performance-no-int-to-ptr)
        break;
    case TOTAL:
    case DOT:
        break;
    }
    drop_labels();
    call.function = NULL;
}

/* ---- allocations ---- */

extern void _FortranAAllocatableAllocate(void) __attribute__((weak));
extern void _FortranAPointerAllocate(void) __attribute__((weak));

/* Places in an array that a descriptor leads to are computed in bytes: no index of them counts structures. */
void vf_fortran_note(const void *function, uint32_t n, const void *const *arguments)
{
    if (!function || !n) return;
    if (function != (const void *)_FortranAAllocatableAllocate &&
        function != (const void *)_FortranAPointerAllocate)
        return;
    const struct descriptor *d = arguments[0];
    if (d && d->base && d->rank && d->type == DERIVED_TYPE)
        vf_record_note((uintptr_t)d->base, (uint32_t)d->bytes);
}
