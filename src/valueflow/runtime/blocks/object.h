#ifndef PARCAST_VALUEFLOW_OBJECT_H
#define PARCAST_VALUEFLOW_OBJECT_H

#include "valueflow/runtime/blocks/object_kind.h"
#include "valueflow/runtime/tables/tables.h"

#pragma GCC visibility push(hidden)

/** Vertices of the words of one size in an object: first + offset / size. */
struct vf_span {
    uint32_t first, n;
};
/** Of sizes 1, 2, 4 and 8. */
#define VF_WORDS_OF(size) __builtin_ctz(size)

enum { VF_MOST_BEFORE = 8 };

/** What a block has begun with: what the words that its first value is computed from are called, and what
 * their own blocks have begun with, as long as none of these was allocated where it was itself. */
struct vf_beginning {
    uint32_t hash;                      /* 0: nothing that tells it from others */
    uint32_t n, places[VF_MOST_BEFORE]; /* where those blocks were allocated */
};

/** What the words of an allocation are called: the same object again when the same place in the program
 * allocates again. */
struct vf_object {
    uint64_t context, bytes;
    uint32_t kind, slot;
    struct vf_span words[4];
    uint32_t group;  /* workspace.h */
    uint32_t record; /* bytes of the structures it consists of; 0: not known */
    bool is_gone;    /* made and freed within the region: nobody looks at it afterwards */
    uint64_t gone;   /* values there were when that first happened; 0: it has not */
    struct vf_beginning begun;
    const char *name; /* of a global, or the place in the program; may be NULL */
};

extern struct vf_object *vf_objects;
void vf_objects_open(void);
uint32_t vf_objects_size(void);
uint32_t vf_vertices_size(void);

/** An allocation begins or ends. The words of one that ends lose their values. */
void vf_block_add(enum vf_object_kind kind, uintptr_t base, size_t bytes, uint64_t context, const char *name);
void vf_block_remove(uintptr_t base);
/** Bytes of the live block that begins at base; 0 when there is none. */
size_t vf_block_bytes(uintptr_t base);
/** Base and size of the live block that holds an address; false when none does. */
bool vf_block_around(uintptr_t address, uintptr_t *base, size_t *bytes);
/** The values of a range are gone: it reads as input when it is read again. */
void vf_forget(uintptr_t base, size_t bytes);
/** The same of the word of that size, or of the one that it lies in. */
void vf_forget_word(uintptr_t address, unsigned size);

struct vf_block;
/** What an object of a kind is called where the instrumenter has written that; NULL stays NULL. */
const char *vf_object_name(uint32_t kind, const char *written);
/** The block's name is another one now. */
void vf_object_rename(const struct vf_block *block);

/** `of` is 0, or VF_OF_FRAME or VF_OF_SUMS. */
uint32_t vf_object_of_results(const char *site, uint32_t of);
uint32_t vf_object_next_result(uint32_t object);
/** Is it a word of a block that was freed, not at the end with the other one's, and that one at another place
 * in its own? */
bool vf_is_gone_from(uint32_t vertex, uint32_t to);
/** Are the words in two blocks that were allocated in one place, one after the other, but are two arrays? */
bool vf_are_in_turn(uint32_t vertex, uint32_t other);
/** Is it a result of object kind VF_OF_SUMS? */
bool vf_is_of_sums(uint32_t vertex);
#pragma GCC visibility pop

#endif
