/* What the arguments of a compiler say. */
#ifndef PARCAST_COMPILER_ARGUMENTS_H
#define PARCAST_COMPILER_ARGUMENTS_H

#include "compiler/words.h"
#include "parcast/compiler.h"

enum argument_mode {
    MODE_LINK,     /* sources to objects, then a program or library */
    MODE_COMPILE,  /* -c */
    MODE_ASSEMBLY, /* -S */
    MODE_OTHER,    /* preprocessing, questions: nothing to instrument */
};

/** Which words are what; the words themselves stay the caller's. */
struct arguments {
    enum argument_mode mode;
    unsigned char *kind;                    /* [n] ARGUMENT_... */
    const char **language;                  /* [n] of -x that a file comes after; NULL: its name tells */
    size_t n_sources, n_assembly, n_linked; /* files to compile; of assembly; for the linker */
    const char *output;                     /* of -o; NULL */
    const char *machine;                    /* the word that asks for code of another machine; NULL */
    bool makes_dependencies, names_dependency_file, names_dependency_target;
    bool is_partial;    /* a shared library or -r: what is linked with it later has the run time */
    const char *chosen; /* while reading: of the last -x; NULL: none */
};

enum argument_kind {
    ARGUMENT_BOTH,      /* for the front end and the linker */
    ARGUMENT_SOURCE,    /* a file to compile and instrument */
    ARGUMENT_ASSEMBLY,  /* a file to compile as it is */
    ARGUMENT_LINK,      /* objects, libraries, what only the linker wants */
    ARGUMENT_FRONT,     /* what only the front end wants */
    ARGUMENT_DROPPED,   /* -c, -o FILE, optimisation levels: decided anew */
    ARGUMENT_GENERATOR, /* for every step: code model, machine */
    ARGUMENT_MACHINE,   /* for the step that generates code alone, which is clang's: flang has it not */
    ARGUMENT_FOREIGN,   /* of no step, not of preprocessing either: of other compilers */
};

parcast_status arguments_read(const parcast_compile *compile, struct arguments *arguments,
                              parcast_error *error);
void arguments_clear(struct arguments *arguments);
/** Is a source Fortran, by what -x says (NULL: nothing) or else by its name? */
bool arguments_is_fortran(const char *word, const char *chosen);

#endif
