/*
 * Arrays as flang's runtime describes them (the layout of ISO_Fortran_binding.h), their elements, and the
 * call whose effect is followed: what the files fortran*.c share.
 */
#ifndef PARCAST_VALUEFLOW_FORTRAN_ARRAY_H
#define PARCAST_VALUEFLOW_FORTRAN_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "valueflow/runtime/tables/tables.h"

#pragma GCC visibility push(hidden)

enum { VF_MOST_DIMENSIONS = 15, VF_COMPLEX4 = 34, VF_COMPLEX8 = 35, VF_MOST_ARGUMENTS = 8 };
enum vf_followed_kind {
    VF_ASSIGN,
    VF_MOVE,
    VF_FILL,
    VF_TOTAL,
    VF_REDUCED,
    VF_DOT,
    VF_COMPLEX_TOTAL,
    VF_COMPLEX_DOT,
    VF_ALONG,
    VF_PLACES,
    VF_FOUND,
    VF_TRUTHS,
    VF_REDUCED_ALONG,
    VF_PLACE,
    VF_PLACE_FOUND,
    VF_PRODUCT,
    VF_TRANSPOSED,
    VF_INITIAL,
    VF_PUSHED,
    VF_PUSHED_ONE,
    VF_STACKED,
    VF_UNSTACKED,
    VF_NOTHING,
    VF_TOLD,    /* text that every process has */
    VF_READING, /* of a text, until VF_READ */
    VF_NUMBER,
    VF_READ
};
/** As in the instrumenter's enum fold_op. */
enum {
    VF_OP_NONE = 0,
    VF_OP_ADD = 1,
    VF_OP_MULTIPLY = 2,
    VF_OP_AND = 3,
    VF_OP_OR = 4,
    VF_OP_XOR = 5,
    VF_OP_MIN = 7,
    VF_OP_MAX = 8,
    VF_OP_CHOICE = 9
};

struct vf_dimension {
    int64_t lower, extent, stride; /* stride in bytes */
};

struct vf_descriptor {
    unsigned char *base;
    uint64_t bytes; /* of an element */
    int32_t version;
    uint8_t rank;
    int8_t type;
    uint8_t attribute, extra;
    struct vf_dimension dim[VF_MOST_DIMENSIONS + 1]; /* the last for an addendum */
};

/** A function of fortran.def. */
struct vf_followed {
    void (*function)(void);
    enum vf_followed_kind kind;
    uint32_t op;
};

/** The call at hand, and labels of elements from before it. */
struct vf_call {
    const void *function;
    const struct vf_followed *what;
    uintptr_t arguments[VF_MOST_ARGUMENTS];
    uint32_t *labels, units; /* units: words or halves of an element */
    size_t capacity, n;      /* n: elements */
    bool is_scalar;
};
extern struct vf_call vf_call;

static inline const struct vf_descriptor *vf_argument(int i)
{
    return (const struct vf_descriptor *)vf_call.arguments[i]; // NOLINT(performance-no-int-to-ptr)
}

/* ---- elements: fortran_array.c ---- */

size_t vf_elements_of(const struct vf_descriptor *d);

/** In the order of Fortran: the first dimension runs fastest. */
static inline unsigned char *vf_element(const struct vf_descriptor *d, size_t number)
{
    unsigned char *p = d->base;
    for (int i = 0; i < d->rank; i++) {
        size_t extent = (size_t)d->dim[i].extent;
        p += (int64_t)(number % extent) * d->dim[i].stride;
        number /= extent;
    }
    return p;
}

static inline uint32_t vf_unit_bytes(const struct vf_descriptor *d)
{
    uint32_t unit = 8;
    while (d->bytes % unit || (uintptr_t)d->base % unit) unit /= 2;
    return unit;
}

static inline uint32_t vf_label_at(const void *p, uint32_t bytes)
{
    return parcast_vf_load(p, bytes);
}

/** The real and the imaginary part are numbers of their own; of anything else there is one part. */
static inline uint32_t vf_parts_of(const struct vf_descriptor *d)
{
    return d->type == VF_COMPLEX4 || d->type == VF_COMPLEX8 ? 2 : 1;
}

static inline uint32_t vf_part_bytes(const struct vf_descriptor *d)
{
    return vf_parts_of(d) == 2 ? (uint32_t)d->bytes / 2 : vf_unit_bytes(d);
}

static inline uint32_t vf_label_of(const unsigned char *p, const struct vf_descriptor *d, uint32_t part)
{
    return vf_label_at(p + (size_t)part * vf_part_bytes(d), vf_part_bytes(d));
}

/** The labels of an array before the call; they are held until they are dropped. */
void vf_gather(const struct vf_descriptor *d);
void vf_drop_labels(void);
/** Element `from` of what was gathered, to another of perhaps another type. */
void vf_put_element(unsigned char *p, const struct vf_descriptor *d, size_t from);
void vf_scatter(const struct vf_descriptor *d);
/** What a derived type says its components are, and nothing, where it does not. */
void vf_begin_anew(const struct vf_descriptor *d);

/* ---- what moves elements: fortran_move.c ---- */

void vf_move(const struct vf_descriptor *result);

/* ---- array constructors of unknown length, and what forall puts aside: fortran_push.c ---- */

void vf_push_begin(void);
void vf_push_end(void);
/** Can one more stack be followed? */
bool vf_stack_begin(void);
void vf_stack_end(void);
void vf_stack_forget(void);

/* ---- what adds up: fortran_sum.c ---- */

/** With the mask, if any, in the argument of that number. */
uint32_t vf_total(int mask);
uint32_t vf_dot(void);
/** Complex results are written where the first argument leads to; they are of the elements' type. */
void vf_complex_total(unsigned char *result);
void vf_complex_dot(unsigned char *result);
/** result(i, k) = sum over j of x(i, j, k), with j in the dimension that is given, and the mask: the
 * arguments of these numbers; 0 where there may be no mask. */
void vf_along(const struct vf_descriptor *result, int dimension, int mask_at);
/** Each index of a place that is found in all of the array: it comes of all elements. */
void vf_found_place(const struct vf_descriptor *result, int mask);
/** Of two matrices, or a matrix and a vector on either side. */
void vf_multiply(const struct vf_descriptor *result, bool is_transposed);
#pragma GCC visibility pop

#endif
