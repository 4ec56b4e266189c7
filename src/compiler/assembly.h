/* What assembly within a source takes from other files, by .incbin and .include. */
#ifndef PARCAST_COMPILER_ASSEMBLY_H
#define PARCAST_COMPILER_ASSEMBLY_H

#include "compiler/run.h"

/** Does the source seem to do so? False where it cannot be read. Bitcode lists the names that assembly
 * outside functions defines, for which LLVM looks for such files in no folder of the command line; text does
 * not. */
bool assembly_takes_files(const char *source);
/** The front end's folders, in the words of the step that assembles. */
void assembly_add_folders(const struct run *run, struct words *words);

#endif
