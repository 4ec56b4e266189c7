#include "valueflow/graph/ranks.h"

#include <stdlib.h>

bool ranks_begin(struct ranks *ranks, uint64_t end)
{
    size_t n = (size_t)(end / 64 + 1);
    *ranks = (struct ranks){calloc(n, sizeof *ranks->members), malloc(n * sizeof *ranks->before), n, 0};
    if (ranks->members && ranks->before) return true;
    ranks_clear(ranks);
    return false;
}

void ranks_count(struct ranks *ranks)
{
    for (size_t i = 0; i < ranks->n_words; i++) {
        ranks->before[i] = ranks->n;
        ranks->n += (uint32_t)__builtin_popcountll(ranks->members[i]);
    }
}

void ranks_clear(struct ranks *ranks)
{
    free(ranks->members);
    free(ranks->before);
    *ranks = (struct ranks){0};
}
