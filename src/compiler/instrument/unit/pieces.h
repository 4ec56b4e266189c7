/* Arrays that a program keeps in one block of memory: `double *u = pool, *w = u + n;` and
 * `call solve(work(1), work(n + 1))`. */
#ifndef PARCAST_INSTRUMENT_PIECES_H
#define PARCAST_INSTRUMENT_PIECES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/** Note where variables, members and parameters are given addresses within something, before a unit is
 * optimised. Notes stand for no code and outlive optimisation. */
void pieces_note(LLVMModuleRef unit);

/* What is noted: `holder` is given the address `at`, which is within what `base` leads to (itself where that
 * is not known). Members are those of many structures, each of which may be given another one. */
struct piece_note {
    LLVMValueRef at, base, holder;
    bool is_member;
};

/** Is the call such a note? */
bool pieces_read(LLVMValueRef call, struct piece_note *note);
/** Nobody looks at the notes any more. */
void pieces_forget(LLVMModuleRef unit);

#endif
