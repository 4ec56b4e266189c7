#ifndef PARCAST_INSTRUMENT_REACHED_H
#define PARCAST_INSTRUMENT_REACHED_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* A unit's own function or variable that one seen by others leads to, and what its linkage was. */
struct reached_entry {
    char *name;
    LLVMLinkage linkage;
    bool is_function;
};

struct reached {
    LLVMModuleRef followed;
    struct reached_entry *entry;
    unsigned n;
};

/* Only of this unit. */
bool is_local(LLVMValueRef value);

/* Make what is reached visible in both modules, to be called before one is linked into the other. */
void reached_open(struct reached *reached, LLVMModuleRef followed, LLVMModuleRef plain);
/* Make it the unit's own again. */
void reached_close(struct reached *reached);

#endif
