/*
 * What instrumented code calls. The instrumenter (src/compiler/instrument) emits these calls by name; the
 * list in hooks.def is both the declarations here and the types there.
 */
#ifndef PARCAST_COMPILER_HOOKS_H
#define PARCAST_COMPILER_HOOKS_H

#include <stdint.h>

/* The label of a word of 8 bytes is the first half of the cell at its address with this changed. As
 * DataFlowSanitizer and MemorySanitizer do on x86-64: program, heap and stack land in unused ranges. */
#define VF_SHADOW_XOR 0x500000000000ull
#define VF_UNTOUCHED  0u          /* the region has not touched the word */
#define VF_SPLIT      0xffffffffu /* a cell of two halves; its second half is the index of the pair */

/* Flag of the size of a stored word: its value is chosen among others, not made of them. */
#define VF_CHOSEN 0x80u

/* What a function outside the program does (known.def), as a call through a pointer has to know it. */
enum { VF_KNOWN_NOT, VF_KNOWN_PURE, VF_KNOWN_READS, VF_KNOWN_INPUT, VF_KNOWN_WRITES };

/* Flag of the operation of a sum of whole numbers: where none of its terms carries a label it counts, and is
 * no more a value than a loop's variable. */
#define VF_COUNTS 0x80u

/* Flag of the operation of an update: the word is a variable of the frame and is added to once in its life,
 * not in a loop. That is an expression in two statements, unless it ends a sum. */
#define VF_ONCE 0x100u

/* Flag of the operation of a sum or a fold: a term that comes of one value alone may be more than a multiple
 * of it, as its square is. Should that value be a sum itself, it is needed as it is. */
#define VF_POWERS 0x200u

/* The largest label that carries nothing: that of a value without a source. */
#define VF_CONSTANT 1u

/* Flag of the work of a stored word: what comes of one value alone is such a power of it. */
#define VF_IS_POWER 0x80000000u

/* Which version of every function runs: the content of parcast_vf_plain. */
enum { VF_RUNS_FOLLOWED, VF_RUNS_PLAIN, VF_RUNS_COUNTED };

/* A reduction in a register: the labels that were added up since it began. Lives in the function's frame. */
struct parcast_vf_sum {
    uint32_t *labels;
    uint32_t n, capacity;
    uint16_t per_term;  /* labels of one term, shorter ones with zeros at the end; UINT16_MAX: no term yet */
    uint16_t is_mixed;  /* there are such ones */
    uint32_t n_initial; /* labels at the front that it began with */
    uint32_t n_held;    /* labels at the front that are held; the others are young */
    uint32_t open; /* place among the sums that have young ones (hook_sum.c), from 1; 0 or another's: none */
    uint64_t work; /* operations that had no label but the sum's own: counted in place */
};

#define HOOK(result, name, arguments) result parcast_vf_##name arguments;
#include "compiler/hooks.def"
#undef HOOK

#endif
