/* Variables that other units see lead to a unit's own: `static int n; int *where = &n;`, a table of static
 * functions, the list of a namelist. There is one of what is seen, and so must there be of what it leads to,
 * whichever version of the unit runs. While the versions are linked, such functions and variables are found
 * by name as if they could be seen; afterwards they are the unit's own again. */
#include "compiler/instrument/unit/reached.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/instrument/function/function.h"

bool is_local(LLVMValueRef value)
{
    LLVMLinkage linkage = LLVMGetLinkage(value);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static LLVMValueRef counterpart(const struct reached *reached, LLVMValueRef value)
{
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    if (!length) return NULL;
    LLVMValueRef found = LLVMIsAFunction(value) ? LLVMGetNamedFunction(reached->followed, name)
                                                : LLVMGetNamedGlobal(reached->followed, name);
    return found && !LLVMIsDeclaration(found) && is_local(found) ? found : NULL;
}

static void add(struct reached *reached, LLVMValueRef followed)
{
    size_t length;
    const char *name = LLVMGetValueName2(followed, &length);
    char *kept = take(length + 1, 1);
    memcpy(kept, name, length);
    reached->entry = more_of(reached->entry, reached->n + 1, sizeof *reached->entry);
    reached->entry[reached->n++] =
        (struct reached_entry){kept, LLVMGetLinkage(followed), LLVMIsAFunction(followed) != NULL};
    LLVMSetLinkage(followed, LLVMExternalLinkage);
}

static void walk(struct reached *reached, LLVMValueRef constant);

/* Not local any more, it is not come to again. */
static void reach(struct reached *reached, LLVMValueRef value)
{
    LLVMValueRef followed = is_local(value) && !LLVMIsDeclaration(value) ? counterpart(reached, value) : NULL;
    if (!followed) return;
    add(reached, followed);
    LLVMSetLinkage(value, LLVMExternalLinkage);
    if (LLVMIsAGlobalVariable(value)) walk(reached, LLVMGetInitializer(value));
}

static void walk(struct reached *reached, LLVMValueRef constant)
{
    if (LLVMIsAFunction(constant) || LLVMIsAGlobalVariable(constant)) {
        reach(reached, constant);
    } else if (LLVMIsAConstant(constant) && !LLVMIsABlockAddress(constant)) {
        for (int i = 0; i < LLVMGetNumOperands(constant); i++)
            walk(reached, LLVMGetOperand(constant, (unsigned)i));
    }
}

void reached_open(struct reached *reached, LLVMModuleRef followed, LLVMModuleRef plain)
{
    *reached = (struct reached){.followed = followed};
    for (LLVMValueRef g = LLVMGetFirstGlobal(plain); g; g = LLVMGetNextGlobal(g)) {
        size_t length;
        bool is_list = strncmp(LLVMGetValueName2(g, &length), "llvm.", 5) == 0;
        if (!is_list && !LLVMIsDeclaration(g) && !is_local(g)) walk(reached, LLVMGetInitializer(g));
    }
}

void reached_close(struct reached *reached)
{
    for (unsigned i = 0; i < reached->n; i++) {
        struct reached_entry *entry = &reached->entry[i];
        LLVMValueRef value = entry->is_function ? LLVMGetNamedFunction(reached->followed, entry->name)
                                                : LLVMGetNamedGlobal(reached->followed, entry->name);
        if (value) LLVMSetLinkage(value, entry->linkage);
        free(entry->name);
    }
    free(reached->entry);
}
