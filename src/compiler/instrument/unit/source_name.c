#include "compiler/instrument/unit/source_name.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the C++ library's run time, which LLVM needs anyway (Itanium C++ ABI). */
char *__cxa_demangle(const char *symbol, char *text, size_t *size, int *status);

bool name_begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* "(anonymous namespace)::u" is called u where it is. */
static const char *without_anonymous(char *name)
{
    static const char anonymous[] = "(anonymous namespace)::";
    for (char *p; (p = strstr(name, anonymous));)
        memmove(p, p + strlen(anonymous), strlen(p + strlen(anonymous)) + 1);
    return name;
}

static bool is_tag(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Flang: capitals are what the name after them is. _QMgridEu is entity u of module grid, _QMgridFstepEu that
 * of its procedure step, _QFEu that of the main program. */
static bool write_fortran(const char *symbol, char *text, size_t size)
{
    const char *entity = strrchr(symbol, 'E'), *of = entity;
    if (strcmp(symbol, "_QQmain") == 0) return snprintf(text, size, "main program"), true;
    if (!name_begins(symbol, "_Q") || !entity || entity < symbol + 3) return false;
    for (of--; of > symbol + 1 && !is_tag(*of);) of--;
    int length = (int)(entity - of - 1);
    if (*of == 'M')
        snprintf(text, size, "%s (module %.*s)", entity + 1, length, of + 1);
    else if (*of == 'F' && !length)
        snprintf(text, size, "%s (main program)", entity + 1);
    else if (*of == 'F')
        snprintf(text, size, "%s (%.*s)", entity + 1, length, of + 1);
    else
        return false;
    return true;
}

char *demangled(const char *symbol)
{
    int failed = 0;
    return name_begins(symbol, "_Z") ? __cxa_demangle(symbol, NULL, NULL, &failed) : NULL;
}

void source_name(const char *symbol, char *text, size_t size)
{
    char *name = demangled(symbol);
    if (name)
        snprintf(text, size, "%s", without_anonymous(name));
    else if (!write_fortran(symbol, text, size))
        snprintf(text, size, "%s", symbol);
    free(name);
}

void source_name_of_global(LLVMValueRef global, char *text, size_t size)
{
    size_t length;
    const char *symbol = LLVMGetValueName2(global, &length);
    bool is_common = LLVMGetLinkage(global) == LLVMCommonLinkage && length > 1 && symbol[length - 1] == '_';
    if (is_common && name_begins(symbol, "__BLNK"))
        snprintf(text, size, "blank common");
    else if (is_common)
        snprintf(text, size, "/%.*s/", (int)length - 1, symbol);
    else
        source_name(symbol, text, size);
}
