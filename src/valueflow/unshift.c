#include "valueflow/unshift.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/runtime/trie.h"

enum { LONGEST = 256 }; /* twice what the run time makes: a file cannot ask for much more than its size */

static bool is_shifted(const struct values_file *file, const struct vf_dump_net *net)
{
    return net->what && file->sinks[net->what] & VF_SHIFTED;
}

/* With the free slot before each way. UINT64_MAX: there is one that is too long. */
static uint64_t count_slots(const struct values_file *file)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        uint32_t length = 0;
        if (!is_shifted(file, &file->nets[i])) continue;
        for (uint32_t s = file->nets[i].what; s; s = file->parents[s])
            if (++length > LONGEST) return UINT64_MAX;
        n += length + 1;
    }
    return n;
}

static bool make_room(struct values_file *file, uint64_t n)
{
    uint64_t states = file->n_shared;
    file->own_sinks = malloc((states + n) * sizeof *file->own_sinks);
    if (!file->own_sinks) return false;
    memcpy(file->own_sinks, file->sinks, states * sizeof *file->sinks);
    file->sinks = file->own_sinks;
    return true;
}

static uint32_t length_of(const struct values_file *file, uint32_t state)
{
    uint32_t n = 0;
    for (; state; state = file->parents[state]) n++;
    return n;
}

/* Behind a free slot: the pins from the last one on, which is the last state of the new way. False: one is no
 * vertex. */
static bool unshift(struct values_file *file, struct vf_dump_net *net, uint64_t *end)
{
    uint64_t to = *end + length_of(file, net->what);
    file->sinks[*end] = 0;
    *end = to + 1;
    for (uint32_t s = net->what; s; s = file->parents[s]) {
        uint32_t pin = file->sinks[s] - vf_shift(net->vertex), vertex = pin & ~VF_FOLD_PIN;
        if (!vertex || vertex >= file->header.n_vertices) return false;
        file->sinks[to--] = pin;
    }
    net->what = (uint32_t)(*end - 1);
    return true;
}

/* Nothing refers to ways by distances any more: none did where every value has come to have too many readers
 * for one. */
static void forget_shifted(struct values_file *file, uint64_t states)
{
    for (uint64_t s = 1; s < states; s++)
        if (file->sinks[s] & VF_SHIFTED) file->sinks[s] = file->parents[s] = 0;
}

parcast_status unshift_all(struct values_file *file)
{
    uint64_t n = count_slots(file), states = file->n_shared, end = states;
    if (n == 0) {
        forget_shifted(file, states);
        return PARCAST_OK;
    }
    if (n > UINT32_MAX - states) return n == UINT64_MAX ? PARCAST_FORMAT : PARCAST_MEMORY;
    if (!make_room(file, n)) return PARCAST_MEMORY;
    for (uint64_t i = 0; i < file->header.n_nets; i++)
        if (is_shifted(file, &file->nets[i]) && !unshift(file, &file->nets[i], &end)) return PARCAST_FORMAT;
    forget_shifted(file, states);
    file->header.n_states += n;
    return PARCAST_OK;
}
