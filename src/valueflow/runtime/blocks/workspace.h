/*
 * Words that are used for one thing after another: workspaces on the stack and on the heap. What is computed
 * in them has no owner of its own. A value of few sources (VF_FEW) goes through as these; one of many is an
 * instance: a vertex named by its word and by what it was computed from, so that the next time step finds it
 * again, and free to be placed anywhere. docs/models/value-flow.md, section 4.
 *
 * Whether an array is a workspace is seen from its behaviour. Arrays in frames of functions that are called
 * again, or that live within a turn of a loop, are. Others of few words are undecided at first: their values
 * are instances, and when a word changes its sources much more often than these change themselves, it is a
 * workspace. Arrays that are still undecided at the end are none: the file says which word each instance is.
 */
#ifndef PARCAST_VALUEFLOW_WORKSPACE_H
#define PARCAST_VALUEFLOW_WORKSPACE_H

#include "valueflow/runtime/blocks/object_kind.h"
#include "valueflow/runtime/tables/tables.h"

#pragma GCC visibility push(hidden)

enum {
    VF_FEW = 4,
    VF_MOST_FLAT = 256,
    VF_KEPT_ENOUGH = 16, /* words of a workspace that kept their value to themselves */
    VF_MOST_ADDED = 256, /* operations of labels that are taken to have none in common */
    VF_LITTLE_WORK = 16, /* operations that every reader may repeat */
    VF_LONG_WORK = 4096, /* operations that no reader repeats where several sources would be sent for it */
};

/** Sight of an instance of few sources that would go through a workspace as these, were it known to be one.
 */
#define VF_THROUGH 1u

#define VF_SEVERAL_GROUPS 0xffffffffu
#define VF_BEGUN_ANEW     0x80000000u /* flag of how many words an undecided one has passed */

enum vf_group_state { VF_OWNED, VF_UNDECIDED, VF_WORKSPACE };

/** All blocks of one place of allocation and one size. */
struct vf_group {
    uint64_t words;
    uint32_t state, results; /* results: object whose vertices are the instances; 0 until there are any */
    enum vf_object_kind kind;
    const char *name;
    bool copied;          /* values of a workspace were copied into words that own them */
    bool is_coefficients; /* they come of constants, computed again and again */
    bool is_sourced;      /* a value of it came of something else than constants */
    bool is_scattered;    /* values of it went to words at other places, and it is freed (owner.c) */
    uint32_t n_in_turn;   /* words that are used for one thing and for another one, again and again */
    uint32_t n_in_blocks; /* words of which values that come of nothing went to several blocks in turn */
    uint32_t n_kept;      /* words that were used again before that was seen of their value */
    uint32_t n_passed, n_again; /* while it is undecided: values of words that are swept through others; of
                                 * these, past the same ones again */
};

/** What is asked of every source of a value: the word that an instance is a value of and, for a word too, the
 * group; the first word that an instance was copied to; one more than the age of an instance's or result's
 * sources, 0 of other vertices. */
struct vf_kin {
    uint32_t base, group, owner, age;
};

/** What else is known of a word that may be a workspace, and of an instance or result. */
struct vf_word {
    uint64_t signature; /* of an instance: what it was computed from. Of a word that is undecided: how many
                         * words of other arrays it has passed since it began, and the last of these */
    uint32_t last, changes; /* of a word: its instance at present, and how often that was another one; of an
                             * instance: the next one, as it was last time, and the first of those of its word
                             * that it comes of, or 0; of a result: the group of its sources */
    uint32_t sight,
        witness; /* of an instance: its sources' vertices as they were last seen, 0 when they are
                  * to be looked at again, VF_THROUGH; the vertex of the one with the greatest age, or what
                  * it was computed from by words while its array is undecided. Of a word
                  * that is undecided: how far from constants it is, and how often it was so */
};

extern struct vf_group *vf_groups;
extern struct vf_kin *vf_kin;    /* by vertex */
extern struct vf_word *vf_words; /* by vertex; only touched for the words and instances above */

void vf_workspaces_open(void);
void vf_groups_open(void); /* by vf_workspaces_open */
/** The group of a block, made when it is new. */
uint32_t vf_group_of(enum vf_object_kind kind, uint64_t context, uint64_t bytes, const char *name);
/** So many bytes more belong to it. A group that gets large is an array of the program. */
void vf_group_grow(uint32_t group, uint64_t bytes);
/** Is a block too large for a workspace, unless few of its words are used? An arena that is filled anew for
 * each line is one. Then each word of so many bytes that is used counts. */
bool vf_group_is_counted(enum vf_object_kind kind, uint64_t bytes);
void vf_group_count(uint32_t group, unsigned size);
/** Blocks of it in one place and of one size, one after the other, have begun with so many different values;
 * the last with one that is computed from these. */
void vf_group_is_used(uint32_t group, uint32_t uses, uint32_t n, const uint32_t *labels);
/** A frame whose arrays live within a turn of a loop, or one that is entered again. */
void vf_group_is_workspace(uint32_t group);
/** Vertices were made: there must be entries for them. */
void vf_words_reach(uint32_t n_vertices);
/** The vertex has a name (name.h). */
void vf_words_name(uint32_t vertex);
/** The first vertex from this one on that may have a name; 0: none. Whoever asks all that have one does not
 * touch the tables of all the others, which are a third of what a program without workspaces needs. */
uint32_t vf_named_from(uint32_t vertex);

/** The word that an instance is a value of; other vertices are themselves. */
static inline uint32_t vf_base(uint32_t vertex)
{
    return vf_kin[vertex].base ? vf_kin[vertex].base : vertex;
}

/** The labels that labels stand for, without those that carry nothing, each once. Returns how many; what is
 * beyond VF_MOST_FLAT is left out. */
uint32_t vf_flatten(uint32_t n, const uint32_t *labels, uint32_t *flat);
/** The same of a value of few sources, with the operations that its reader repeats added to `work`; VF_FEW +
 * 1 if there are more. */
uint32_t vf_find_few(uint32_t n, const uint32_t *labels, uint32_t *flat, uint32_t *work);
/** One label for 2 to VF_FEW flat ones and so many operations; not held yet. */
uint32_t vf_bundle(uint32_t n, const uint32_t *labels, uint32_t work);
/** Is it a power of the one value that it stands for, or its root, or such? A sum of which one is a term
 * needs that value whole. */
static inline bool vf_is_power(uint32_t id)
{
    return vf_is_bundle(id) && vf_bundle_of(id)->op == VF_POWERS;
}
/** Is what comes of these labels a power of the one value that is all they stand for? So it is where one of
 * them is, or where several carry the value. */
bool vf_are_power(uint32_t n, const uint32_t *labels);
/** A label for a power of a value, a sum; not held yet. */
uint32_t vf_power(uint32_t label, uint32_t work);
/** A value from outside the program: of no label, and of nobody until it is put into a word that owns what it
 * holds; not held yet. */
uint32_t vf_from_outside(void);
/** What a call from outside put into a word of the stack: the input `id`. It belongs to the first word that
 * owns what it holds and is computed from it, or that it is copied into. Not held yet. */
uint32_t vf_read_in(uint32_t id);
extern bool vf_any_read_in;
/** It has got a home: what it stands for is this value. */
void vf_settle(uint32_t id, uint32_t value);
/** The first of the labels that is one and gets a home with a store in this word; n if none is. */
uint32_t vf_find_read_in(const struct vf_cell *cell, uint32_t n, const uint32_t *labels);
/** Comes it from outside, or of constants alone in a workspace? Whoever copies it has computed it, with what
 * is added to it meanwhile. */
static inline bool vf_is_of_nothing(uint32_t id)
{
    return vf_is_bundle(id) && !vf_bundle_of(id)->n;
}
/** The first of the labels that is of nothing; VF_UNTOUCHED if none is. */
uint32_t vf_find_outside(uint32_t n, const uint32_t *labels);
/** Is one of the labels of nothing, and are all that carry anything? */
bool vf_are_of_nothing(uint32_t n, const uint32_t *labels);
/** Does none of the labels carry anything? */
bool vf_are_constants(uint32_t n, const uint32_t *labels);
/** Operations that a reader of a bundle has to do. Of one source, or where they are many, the first one does
 * them, who has the value then; few of several sources every one. */
static inline uint32_t vf_work_read(struct vf_bundle *bundle)
{
    uint32_t work = bundle->work;
    if (bundle->n == 1 || work > VF_LITTLE_WORK) bundle->work = 0;
    return work;
}
/** Does any of the labels stand for several values and for so much work that no reader repeats it? What a
 * loop computes from its last turn, again and again, stands for all turns before: it becomes a value of its
 * own. */
bool vf_are_long(uint32_t n, const uint32_t *labels);
/** Operations of two labels. Few are mostly different ones. What has come of many comes of the same ones in
 * part: two words that a loop computes from both, turn after turn, would double them each time. */
static inline uint32_t vf_add_repeated(uint32_t a, uint32_t b)
{
    uint32_t most = a > b ? a : b;
    if (most >= VF_MOST_ADDED) return most;
    return a + b < VF_MOST_ADDED ? a + b : VF_MOST_ADDED;
}
/** The same of labels. */
uint32_t vf_work_of(uint32_t n, const uint32_t *labels);
/** Vertex of a result named by a number and what it is computed from. `before`: the last one of that number,
 * or 0; what followed it last time is likely to follow it again. */
uint32_t vf_named_vertex(uint64_t name, uint32_t object, uint32_t before, uint32_t n, const uint32_t *labels);
/** The same, and by how often it was computed before from the same values (again.h). */
uint32_t vf_vertex_again(uint64_t name, uint32_t object, uint32_t before, uint32_t n, const uint32_t *labels);
/** Vertex of a value computed from these in a word that is flagged in its cell. An array that has turned out
 * to be none: the flag is taken away, and the word is the vertex. */
uint32_t vf_instance(struct vf_cell *cell, uint32_t n, const uint32_t *labels);
/** Does the flagged word belong to what is known to be a workspace? */
bool vf_in_workspace(const struct vf_cell *cell);
extern bool vf_any_instances;
/** A value without an owner is copied into a word: if that has one, it is the owner. */
void vf_adopt_slow(uint32_t id, const struct vf_cell *cell);
static inline void vf_adopt(uint32_t id, const struct vf_cell *cell)
{
    if (vf_any_instances && vf_carries(id) && cell->vertex) vf_adopt_slow(id, cell);
}

/** Does a value of n sources go through a workspace as these? Not if it belongs to a word of another array
 * that it is copied into: then it is that word's value here, too. Which of both is seen from what became of
 * the first ones. */
bool vf_goes_through(const struct vf_cell *cell, uint32_t n);
/** What then stands in the word, held once: the n flat labels, or `outside` where there are none. `is_power`:
 * of one it is more than a multiple. */
uint32_t vf_pass(const struct vf_cell *cell, uint32_t n, const uint32_t *flat, uint32_t outside,
                 uint32_t work, bool is_power);
/** A value of few sources goes where it is copied to: is this a word that computes it? */
bool vf_computes(uint32_t id, const struct vf_cell *cell);

/** What a store of a computed value puts into a flagged word; held once. A choice may have taken a constant,
 * as below a threshold: no source is left, but the word has computed it all the same if it owns what it
 * holds. */
uint32_t vf_workspace_value(struct vf_cell *cell, uint32_t work, bool is_chosen, uint32_t n,
                            const uint32_t *labels);

/** A word that is undecided has got another value than before, this instance's. */
void vf_word_changes(uint32_t word, uint32_t instance);

/** Instances of arrays that turned out to be no workspaces: calls `tell` with each and its word; with itself
 * for a word where its sources stand for it, since its array turned out to be one. */
uint64_t vf_owned_instances(void (*tell)(uint32_t instance, uint32_t word));
#pragma GCC visibility pop

#endif
