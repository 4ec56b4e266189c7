#include "replay/matrix.h"

#include <stdlib.h>

enum { FIRST_PLACES = 256 };

static uint32_t hash(uint32_t source, uint32_t destination)
{
    uint64_t key = ((uint64_t)source << 32 | destination) * UINT64_C(0x9e3779b97f4a7c15);
    key ^= key >> 32;
    return (uint32_t)((key * UINT64_C(0x9fb21c651e98df25)) >> 32);
}

/* The pair's place, or the free one where it would lie. */
static parcast_replay_pair *place_of(const struct matrix *matrix, int source, int destination)
{
    uint32_t at = hash((uint32_t)source, (uint32_t)destination) & matrix->mask;
    for (;; at = (at + 1) & matrix->mask) {
        parcast_replay_pair *pair = &matrix->places[at];
        if (pair->messages == 0 || (pair->source == source && pair->destination == destination)) return pair;
    }
}

bool matrix_create(struct matrix *matrix)
{
    *matrix =
        (struct matrix){.places = calloc(FIRST_PLACES, sizeof *matrix->places), .mask = FIRST_PLACES - 1};
    return matrix->places != NULL;
}

void matrix_destroy(struct matrix *matrix)
{
    free(matrix->places);
    *matrix = (struct matrix){0};
}

static bool grow(struct matrix *matrix)
{
    struct matrix larger = {.mask = 2 * matrix->mask + 1, .n_pairs = matrix->n_pairs};
    if (larger.mask < matrix->mask) return false;
    larger.places = calloc((size_t)larger.mask + 1, sizeof *larger.places);
    if (!larger.places) return false;
    for (uint32_t at = 0; at <= matrix->mask; at++) {
        const parcast_replay_pair *pair = &matrix->places[at];
        if (pair->messages) *place_of(&larger, pair->source, pair->destination) = *pair;
    }
    free(matrix->places);
    *matrix = larger;
    return true;
}

bool matrix_add(struct matrix *matrix, uint32_t source, uint32_t destination, int64_t bytes)
{
    parcast_replay_pair *pair = place_of(matrix, (int)source, (int)destination);
    if (pair->messages == 0) {
        if (matrix->n_pairs + matrix->n_pairs / 2 > matrix->mask) { /* two thirds full */
            if (!grow(matrix)) return false;
            pair = place_of(matrix, (int)source, (int)destination);
        }
        matrix->n_pairs++;
        *pair = (parcast_replay_pair){.source = (int)source, .destination = (int)destination};
    }
    pair->messages++;
    pair->bytes += (uint64_t)bytes;
    return true;
}

static int by_ranks(const void *a, const void *b)
{
    const parcast_replay_pair *x = a, *y = b;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    return (x->destination > y->destination) - (x->destination < y->destination);
}

parcast_replay_pair *matrix_take(struct matrix *matrix, size_t *n_pairs)
{
    parcast_replay_pair *pairs = matrix->places;
    *n_pairs = 0;
    for (uint32_t at = 0; pairs && at <= matrix->mask; at++)
        if (pairs[at].messages) pairs[(*n_pairs)++] = pairs[at];
    if (*n_pairs) qsort(pairs, *n_pairs, sizeof *pairs, by_ranks);
    *matrix = (struct matrix){0};
    return pairs;
}
