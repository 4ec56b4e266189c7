#include "valueflow/load/unshift.h"

enum { LONGEST = 256 }; /* twice what the run time makes: a file cannot ask for much more than its size */

static bool is_way_of_words(struct values_file *file, uint32_t state, uint32_t shift)
{
    uint32_t length = 0;
    for (; state; state = file->parents[state]) {
        uint32_t vertex = (file->sinks[state] - shift) & ~VF_FOLD_PIN;
        if (++length > LONGEST || !vertex || vertex >= file->header.n_vertices) return false;
    }
    file->n_shifted += length;
    return true;
}

bool unshift_fits(struct values_file *file)
{
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        uint32_t shift = unshift(file, &file->nets[i]);
        if (shift && !is_way_of_words(file, file->nets[i].what, shift)) return false;
    }
    return true;
}
