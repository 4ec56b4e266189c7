/* The chains of a sum whose versions have not all the same terms. */
#ifndef PARCAST_VALUEFLOW_VERSIONS_H
#define PARCAST_VALUEFLOW_VERSIONS_H

#include "valueflow/graph/unite.h"

/** Chain nets of the roots, of each in the order in which its chains first came up. */
struct versions {
    uint32_t *first; /* [n_vertices + 1] into nets */
    uint32_t *nets;  /* indices into the file's chain nets */
};

/** False without memory; versions_clear() in any case. */
bool versions_make(struct unite *u, struct versions *versions);
void versions_clear(struct versions *versions);

static inline uint32_t versions_count(const struct versions *versions, uint32_t root)
{
    return versions->first[root + 1] - versions->first[root];
}

/** Have two sums as many versions of each kind, in this order? */
bool versions_alike(const struct values_file *file, const struct versions *versions, uint32_t a, uint32_t b);

#endif
