/* Which arrays a variable consists of: the members of a structure, or of a block in common. */
#ifndef PARCAST_INSTRUMENT_MEMBERS_H
#define PARCAST_INSTRUMENT_MEMBERS_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct member {
    uint64_t offset, bytes;
    char name[128]; /* "u (/grid/)", "mesh.u"; of what lies between arrays, the variable's */
};

/** What begins where in blocks in common is told by the same unit, not optimised and with debug information.
 */
void members_read(LLVMModuleRef unit);
/** The members of a global, without gaps; one where it is one array or has no large ones. Valid until the
 * next call. */
const struct member *members_of(LLVMValueRef global, LLVMTargetDataRef layout, size_t *n);
/** What the member of a global structure is called whose address it is: "mesh.u", or "mesh." where debug
 * information of the type is in another unit. False where it is none. */
bool members_name(LLVMValueRef address, char *name, size_t size);
void members_clear(void);

#endif
