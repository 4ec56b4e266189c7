#include "valueflow/runtime/values/shared.h"

#include "valueflow/runtime/blocks/object_kind.h"
#include "valueflow/runtime/tables/hash.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/chain.h"
#include "valueflow/runtime/values/value.h"

enum { FEWEST = 4, MOST_LABELS = 128 };

static struct vf_hash numbers = {.width = 2};

/* By number: where sums are added to words, and the last one that was. */
static struct place {
    uint64_t factors[VF_TERM_LABELS]; /* of its terms; 0: they do not differ */
    uintptr_t word;
    bool shares;
} *places;
static size_t n_places = 1, capacity;

static struct place *place_of(uintptr_t place)
{
    uint32_t key[2] = {(uint32_t)place, (uint32_t)((uint64_t)place >> 32)}, *at = vf_hash_at(&numbers, key);
    if (!*at) {
        places = vf_grow(places, &capacity, sizeof *places, n_places);
        places[n_places] = (struct place){.word = 0};
        *at = (uint32_t)n_places++;
        vf_hash_added(&numbers);
    }
    return &places[*at];
}

/* Of all terms in order, if they carry something and are not all the same. */
static uint64_t hash_factor(const struct parcast_vf_sum *sum, uint32_t which)
{
    uint64_t hash = vf_chain_hash_start(sum->per_term);
    bool differ = false;
    for (uint32_t i = which; i < sum->n; i += sum->per_term) {
        if (!vf_carries(sum->labels[i])) return 0;
        differ = differ || sum->labels[i] != sum->labels[which];
        hash = vf_chain_hash_add(hash, sum->labels[i]);
    }
    return differ ? hash | 1 : 0;
}

bool vf_shares_terms(uintptr_t where, uintptr_t word, const struct parcast_vf_sum *sum)
{
    if (sum->n_initial || sum->is_mixed || !sum->per_term || sum->per_term > VF_TERM_LABELS) return false;
    if (sum->n > MOST_LABELS || sum->n < FEWEST * (uint32_t)sum->per_term) return false;
    struct place *place = place_of(where);
    for (uint32_t j = 0; j < sum->per_term && !place->shares; j++) {
        uint64_t hash = hash_factor(sum, j);
        place->shares = hash && hash == place->factors[j] && word != place->word;
        place->factors[j] = hash;
    }
    place->word = word;
    return place->shares;
}

uint32_t vf_fold_shared(struct parcast_vf_sum *sum, void *p, uint32_t size, uint32_t work, uint32_t op)
{
    static const char site[] = VF_SHORT_SUM_NAME;
    uint32_t label = parcast_vf_sum_value(sum, site, work, op);
    uint32_t id = parcast_vf_fold(p, size, 1, op & ~VF_POWERS, 1, &label);
    parcast_vf_sum_start(sum, 0, NULL);
    return id;
}
