/* The file of a traced run, section by section, checked (docs/formats/values.md). */
#ifndef PARCAST_VALUEFLOW_LOAD_H
#define PARCAST_VALUEFLOW_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "parcast/error.h"
#include "valueflow/runtime/process/dump_format.h"
#include "valueflow/runtime/tables/trie.h"

/** The file in memory; the pointers go into `bytes`. */
struct values_file {
    unsigned char *bytes;
    size_t size;
    struct vf_dump_header header;
    struct vf_dump_object *objects;
    const char *names;
    struct vf_dump_work *work;
    struct vf_dump_net *nets, *chain_nets;
    uint64_t n_shifted;        /* readers on ways of distances, of all nets (readers.h) */
    uint32_t *parents, *sinks; /* of states, until their ways are listed: as of steps */
    uint64_t *reader_first;    /* [n_lists + 1] into readers: who reads nets (readers.h) */
    uint32_t *readers, n_lists;
    size_t list_capacity, reader_capacity;
    uint32_t *step_parents; /* of steps: allocated; 0: it is the first of its way */
    uint32_t *homes;        /* of steps; 0 of slots that are none */
    const struct vf_dump_chain *chains;
    struct vf_dump_chain *own_chains;   /* when they are not in `bytes` any more */
    struct vf_dump_net *own_chain_nets; /* the same */
    uint32_t *own_homes;                /* the same of steps */
    uint32_t *roots;                    /* [n_vertices] what stands for a vertex; NULL: each for itself */
    bool *is_no_sum; /* [n_vertices] it adds nothing up any more (recomputed.c); NULL: as read */
    const struct vf_dump_report *reports;
    const struct vf_dump_same *same;
    const struct vf_dump_piece *pieces;
    struct vf_dump_object *own_objects; /* when they are not in `bytes` any more (space/arrays/pieces.h) */
    char *own_names;                    /* the same */
};

/** What stands for the vertex in the graph. */
static inline uint32_t values_file_root(const struct values_file *file, uint32_t vertex)
{
    return file->roots ? file->roots[vertex] : vertex;
}

/** Does the reader, a sink less its shift, add up what it reads? */
static inline bool values_file_adds(const struct values_file *file, uint32_t reader)
{
    return reader & VF_FOLD_PIN && !(file->is_no_sum && file->is_no_sum[reader & ~VF_FOLD_PIN]);
}

/** Work that one word can have: no run computes more, and the sums stay numbers. */
bool values_file_is_work(double work);

/** NULL: it cannot be opened. */
FILE *values_file_open(const char *path, parcast_error *error);
/** Of a file that is open, which is closed; `path` is what messages call it. */
parcast_status values_file_read(FILE *in, const char *path, struct values_file *file, parcast_error *error);
/** Where nobody looks at readers any more, or at steps: what is not in `bytes` goes. */
void values_file_forget_readers(struct values_file *file);
void values_file_forget_steps(struct values_file *file);
void values_file_clear(struct values_file *file);

#endif
