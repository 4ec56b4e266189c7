/*
 * The file that a traced program leaves for `parcast estimate`, in the byte order of the machine. The header,
 * then in this order, each an array: objects, names, pieces, vertices with work, nets, chain nets, slots of
 * states, slots of steps of sequences (tree.h), chains, reports, instances with their words.
 * docs/formats/values.md has it field by field.
 */
#ifndef PARCAST_VALUEFLOW_DUMP_FORMAT_H
#define PARCAST_VALUEFLOW_DUMP_FORMAT_H

#include <stdint.h>

#define VF_DUMP_MAGIC   "PCVALUES"
#define VF_DUMP_VERSION 9u
/* A partial one says why in a report of the kind VF_REPORT_PARTIAL. */
enum { VF_DUMP_COMPLETE = 1, VF_DUMP_PARTIAL = 2 };
#define VF_REPORT_PARTIAL "partial"
#define VF_REPORT_REGION  "region" /* a function, "marked regions" or "main" */

struct vf_dump_header {
    char magic[8];
    uint32_t version, complete; /* VF_DUMP_COMPLETE or VF_DUMP_PARTIAL, written last */
    uint64_t flop, values, entries, table_bytes;
    uint64_t n_objects, name_bytes, n_vertices, n_work, n_nets, n_chain_nets, n_states, n_steps;
    uint64_t n_chains, n_reports, n_same, n_pieces;
};

/* Places of words of 1, 2, 4 and 8 bytes; that of the last is the place of results, too. */
enum { VF_WORD_SIZES = 4, VF_RESULTS = VF_WORD_SIZES - 1 };

struct vf_dump_object {
    uint64_t context, bytes;
    uint32_t kind, slot;
    struct vf_dump_span {
        uint32_t first, n;
    } words[VF_WORD_SIZES];
    uint32_t name, name_length; /* into the names */
    uint32_t record;            /* bytes of the structures it consists of, 0 if not known */
    uint32_t n_slots; /* how many blocks of its context there were at once, of any size; 0: not known */
};

/* The region computed which word a term is added to: chosen.h. */
enum { VF_DUMP_CHOSEN = 1 };

struct vf_dump_work {
    uint32_t vertex, flags; /* VF_DUMP_CHOSEN */
    double work;
};

/* How many versions of the vertex had the pins of this state, or the terms of this chain. */
struct vf_dump_net {
    uint32_t vertex, what, count;
};

/* The instance is a value of the word and of nothing else: they are one vertex. */
struct vf_dump_same {
    uint32_t instance, word;
};

/* Of a term: the run time keeps up to VF_TERM_LABELS apart (chain.h); graph/through_pairs.c may make more. */
enum { VF_DUMP_LABELS = 8 };

struct vf_dump_chain {
    uint32_t before, op_and_labels, streams[VF_DUMP_LABELS];
};

struct vf_dump_report {
    uint32_t count, kind, kind_length, name, name_length; /* into the names */
};

/* A variable or parameter, which has this number, that is given the address so many bytes behind the
 * beginning of the object, and of the VF_DUMP_MANY others of it, too. */
enum { VF_DUMP_MANY = 1 };

struct vf_dump_piece {
    uint64_t offset;
    uint32_t object, holder, flags;
    uint32_t name, name_length; /* into the names */
    uint32_t unused;
};

#endif
