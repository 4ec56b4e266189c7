/*
 * Shapes of models with several parameters: which products of the single-parameter terms are added up.
 *
 * With up to three active parameters every sum of one to three different products that uses each of them is
 * tried; with more only their product, their sum and the product with one single term beside it, since the
 * number of sums grows beyond what any measurements could tell apart.
 */
#include "scaling_search.h"

struct list {
    struct scaling_shape *shapes;
    size_t n;
};

static void add(struct list *list, size_t n_terms, const unsigned *masks, unsigned active)
{
    struct scaling_shape shape = {.n_terms = n_terms};
    unsigned covered = 0;
    for (size_t t = 0; t < n_terms; t++) {
        shape.masks[t] = masks[t];
        covered |= masks[t];
    }
    if (covered == active && list->n < SCALING_MAX_SHAPES) list->shapes[list->n++] = shape;
}

static void add_all_sums(struct list *list, unsigned active)
{
    for (unsigned a = 1; a <= active; a++) {
        if (a & ~active) continue;
        add(list, 1, (unsigned[]){a}, active);
        for (unsigned b = 1; b < a; b++) {
            if (b & ~active) continue;
            add(list, 2, (unsigned[]){b, a}, active);
            for (unsigned c = 1; c < b; c++)
                if (!(c & ~active)) add(list, 3, (unsigned[]){c, b, a}, active);
        }
    }
}

static void add_simple_sums(struct list *list, unsigned active)
{
    unsigned singles[PARCAST_SCALING_MAX_PARAMETERS];
    size_t n = 0;
    for (unsigned p = 0; p < PARCAST_SCALING_MAX_PARAMETERS; p++)
        if (active & 1u << p) singles[n++] = 1u << p;
    add(list, n, singles, active);
    add(list, 1, &active, active);
    for (size_t s = 0; s < n; s++) add(list, 2, (unsigned[]){singles[s], active}, active);
}

size_t scaling_shapes(size_t n_parameters, struct scaling_shape shapes[SCALING_MAX_SHAPES])
{
    struct list list = {.shapes = shapes};
    add(&list, 0, NULL, 0);
    for (unsigned active = 1; active < 1u << n_parameters; active++) {
        if (__builtin_popcount(active) <= 3)
            add_all_sums(&list, active);
        else
            add_simple_sums(&list, active);
    }
    return list.n;
}
