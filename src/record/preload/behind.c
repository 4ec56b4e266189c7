/* The functions behind this library: the same name, spelled as its binding spells it. */
#include "behind.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYMBOL_BYTES = 96 };

static void spell(char *symbol, const struct function *f, enum binding binding)
{
    const char *prefix = binding & MPIX ? "MPIX_" : "MPI_", *suffix = binding & LARGE ? "_c" : "";
    if (binding & FORTRAN) suffix = "_";
    if (binding & MODULE_F08) {
        static const char *const suffixes[] = {"_f08_", "_f08_large_", "_f08ts_", "_f08ts_large_"};
        suffix = suffixes[(binding & DESCRIPTORS ? 2 : 0) + (binding & LARGE ? 1 : 0)];
    }
    snprintf(symbol, SYMBOL_BYTES, "%s%s%s", prefix, f->name, suffix);
    if (!(binding & FORTRAN)) return;
    for (char *c = symbol; *c; c++) *c = (char)tolower((unsigned char)*c);
}

/* A library may have only some of the four spellings of a Fortran routine. */
static void *other_spelling(char *symbol, const void *site)
{
    size_t length = strlen(symbol);
    symbol[length] = '_';
    symbol[length + 1] = '\0';
    void *f = abi_symbol(symbol, site);
    symbol[length - 1] = '\0';
    if (!f) f = abi_symbol(symbol, site);
    for (char *c = symbol; *c; c++) *c = (char)toupper((unsigned char)*c);
    if (!f) f = abi_symbol(symbol, site);
    return f;
}

void *behind_find(const struct function *f, enum binding binding, const void *site)
{
    char symbol[SYMBOL_BYTES + 2];
    spell(symbol, f, binding);
    void *behind = abi_symbol(symbol, site);
    if (!behind && (binding & FORTRAN) && !(binding & MODULE_F08)) behind = other_spelling(symbol, site);
    if (behind) return behind;
    /* The program cannot go on: it called a function that no library has. */
    spell(symbol, f, binding);
    fprintf(stderr, "parcast: no MPI library of this process has the function %s\n", symbol);
    abort();
}
