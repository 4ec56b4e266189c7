#include "valueflow/load/readers.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/load/room.h"

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

bool readers_fit(struct values_file *file)
{
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        const struct vf_dump_net *net = &file->nets[i];
        bool shifted = net->what && file->sinks[net->what] & VF_SHIFTED;
        if (shifted && !is_way_of_words(file, net->what, vf_shift(net->vertex))) return false;
    }
    return true;
}

static uint32_t length_of(const struct values_file *file, uint32_t state)
{
    uint32_t n = 0;
    for (; state; state = file->parents[state]) n++;
    return n;
}

static bool add_list(struct values_file *file, uint64_t n_readers)
{
    if (file->n_lists == UINT32_MAX || !load_room((void **)&file->reader_first, (size_t)file->n_lists + 2,
                                                  &file->list_capacity, sizeof *file->reader_first))
        return false;
    file->reader_first[file->n_lists + 1] = file->reader_first[file->n_lists] + n_readers;
    file->n_lists++;
    return true;
}

/* `number` of a state: the list of its way; 0: none yet. No graph has as many readers as are refused. */
static bool number_lists(struct values_file *file, uint32_t *number)
{
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        uint32_t *what = &file->nets[i].what;
        if (*what && !number[*what]) {
            number[*what] = file->n_lists;
            if (!add_list(file, length_of(file, *what)) || file->reader_first[file->n_lists] > UINT32_MAX)
                return false;
        }
        *what = number[*what];
    }
    return true;
}

static void take_readers(const struct values_file *file, const uint32_t *number)
{
    for (uint32_t state = 1; state < file->header.n_states; state++) {
        if (!number[state]) continue;
        uint32_t *to = file->readers + file->reader_first[number[state]];
        for (uint32_t s = state; s; s = file->parents[s]) *to++ = file->sinks[s];
    }
}

static bool list(struct values_file *file, uint32_t *number)
{
    file->list_capacity = 2;
    file->reader_first = calloc(file->list_capacity, sizeof *file->reader_first);
    file->n_lists = 1; /* the empty one */
    if (!file->reader_first || !number_lists(file, number)) return false;
    file->reader_capacity = file->reader_first[file->n_lists];
    file->readers = malloc((file->reader_capacity + 1) * sizeof *file->readers);
    if (file->readers) take_readers(file, number);
    return file->readers;
}

bool readers_list(struct values_file *file)
{
    uint32_t *number = calloc(file->header.n_states + 1, sizeof *number);
    bool fine = number && list(file, number);
    free(number);
    free(file->parents);
    file->parents = NULL;
    return fine;
}

bool readers_append(struct values_file *file, const uint32_t *readers, size_t n)
{
    uint64_t first = file->reader_first[file->n_lists];
    if (!load_room((void **)&file->readers, (size_t)first + n, &file->reader_capacity,
                   sizeof *file->readers) ||
        !add_list(file, n))
        return false;
    memcpy(file->readers + first, readers, n * sizeof *readers);
    return true;
}
