/* What stands in a line of the source, where the front end does not tell. */
#ifndef PARCAST_INSTRUMENT_SOURCE_LINE_H
#define PARCAST_INSTRUMENT_SOURCE_LINE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

/** Names of values are made unique by numbers: u12 is u where line `number` says so. Whether it says
 * either. */
bool source_line_drop_number(LLVMMetadataRef scope, unsigned number, char *name);
/** The member of a structure that line `number` speaks of: x of `mesh.x`, what is assigned to before
 * others; false where it is none, or several.
 */
bool source_line_member(LLVMMetadataRef scope, unsigned number, const char *variable, char *member,
                        size_t size);
/** The name of the array number `which`, from 0, that is declared in line `number` from a column on; false
 * where there are no more. */
bool source_line_array(LLVMMetadataRef scope, unsigned number, unsigned column, unsigned which, char *name,
                       size_t size);

#endif
