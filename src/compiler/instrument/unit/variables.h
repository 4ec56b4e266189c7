/* What the program calls the arrays that it allocates: "u" in `u = malloc(n)` and `std::vector<double> u(n)`.
 */
#ifndef PARCAST_INSTRUMENT_VARIABLES_H
#define PARCAST_INSTRUMENT_VARIABLES_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Look through a unit as the front end has made it, with the names of its values; before it is optimised. */
void variables_find(LLVMModuleRef module);
/** What is allocated is called `own`, NULL where that is not known. `outer`: what it is called from the
 * variable that leads to the structure of which it is a member, "u.data"; empty where that is not known.
 * `place` and `outer_place`: where the program's own function that allocates is called; NULL where none is,
 * or the call itself is meant. */
struct variable_name {
    const char *own;
    LLVMMetadataRef place, outer_place;
    char outer[128];
    bool goes_on; /* to a caller, whose name counts */
    uint64_t
        bytes; /* of the structure that the argument points to; 0: it leads to what is allocated itself */
};

/** The variable that a call, or one that it was inlined from, allocates for, by its result or by an argument
 * that leads there (handed.h); false where it has no name. */
bool variable_of(LLVMValueRef call, int argument, struct variable_name *name);
/** Is it a call of a function of the program's own that may return what it has allocated, or put it where an
 * argument leads to? */
bool variable_is_made(LLVMValueRef call, int argument);
/** What the source calls the variable or member that a store of a unit which is not optimised goes to; false
 * where it is not known. */
bool variable_of_place(LLVMValueRef place, LLVMValueRef instruction, char *name, size_t size);
/** What the source calls an array of a frame; false where it is not known. */
bool variable_in_frame(LLVMValueRef array, char *name, size_t size);
void variables_clear(void);

#endif
