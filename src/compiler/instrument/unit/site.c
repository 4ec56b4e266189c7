#include "compiler/instrument/unit/site.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "compiler/instrument/unit/source_name.h"

struct text {
    const char *start;
    int length;
};

static bool begins(struct text text, const char *start)
{
    size_t length = strlen(start);
    return (size_t)text.length >= length && memcmp(text.start, start, length) == 0;
}

/* Compiler and libraries, where Debian and its kin have them. */
static bool is_foreign(struct text path)
{
    static const char *const folders[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/",
                                          "/usr/bin/../lib/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (begins(path, folders[i])) return true;
    return false;
}

static struct text file_of(LLVMMetadataRef scope)
{
    unsigned length = 0;
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    return (struct text){name, name ? (int)length : 0};
}

/* The C interface has no names of scopes: operands 1 and 2 of a subprogram, operand 1 of a block (LLVM 19).
 */
static struct text function_of(LLVMContextRef context, LLVMMetadataRef scope)
{
    enum { PARENT = 1, NAME = 2, MOST_OPERANDS = 32 };
    for (int depth = 0; scope && depth < 64; depth++) {
        LLVMValueRef operands[MOST_OPERANDS], node = LLVMMetadataAsValue(context, scope);
        bool is_function = LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind;
        unsigned wanted = is_function ? NAME : PARENT, n = LLVMGetMDNodeNumOperands(node), length = 0;
        if (n <= wanted || n > MOST_OPERANDS) break;
        LLVMGetMDNodeOperands(node, operands);
        if (!operands[wanted]) break;
        if (is_function) {
            const char *name = LLVMGetMDString(operands[wanted], &length);
            return (struct text){name, name ? (int)length : 0};
        }
        scope = LLVMValueAsMetadata(operands[wanted]);
    }
    return (struct text){NULL, 0};
}

bool site_is_own_place(LLVMMetadataRef place)
{
    struct text file = file_of(LLVMDILocationGetScope(place));
    return file.length && !is_foreign(file);
}

/* The innermost place in a file of the program's own; the innermost of all when there is none. */
static LLVMMetadataRef place_of(LLVMValueRef instruction, bool *own)
{
    LLVMMetadataRef innermost = LLVMInstructionGetDebugLoc(instruction);
    for (LLVMMetadataRef place = innermost; place; place = LLVMDILocationGetInlinedAt(place)) {
        if (!site_is_own_place(place)) continue;
        *own = true;
        return place;
    }
    *own = !innermost;
    return innermost;
}

/* What the source calls the function. */
static void write_function(LLVMValueRef function, LLVMMetadataRef scope, char *text, size_t size)
{
    char symbol[256];
    size_t length;
    struct text name = function_of(LLVMGetTypeContext(LLVMTypeOf(function)), scope);
    if (!name.length) name.start = LLVMGetValueName2(function, &length);
    if (!name.length) name.length = (int)length;
    snprintf(symbol, sizeof symbol, "%.*s", name.length, name.start);
    source_name(symbol, text, size);
}

void site_write_at(LLVMValueRef instruction, LLVMMetadataRef place, char *text, size_t size)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
    LLVMMetadataRef scope = place ? LLVMDILocationGetScope(place) : LLVMGetSubprogram(function);
    struct text file = file_of(scope);
    char name[256];
    write_function(function, scope, name, sizeof name);
    if (place && file.length && LLVMDILocationGetLine(place))
        snprintf(text, size, "%.*s:%u (%s)", file.length, file.start, LLVMDILocationGetLine(place), name);
    else
        snprintf(text, size, "%s", name);
    for (char *p = text; *p; p++) /* lines are what tells places apart */
        if (*p == '\n') *p = '?';
}

void site_write(LLVMValueRef instruction, char *text, size_t size)
{
    bool own;
    site_write_at(instruction, place_of(instruction, &own), text, size);
}

bool site_is_own(LLVMValueRef instruction)
{
    bool own;
    place_of(instruction, &own);
    return own;
}

bool site_is_foreign(LLVMValueRef function)
{
    struct text file = file_of(LLVMGetSubprogram(function));
    return file.length && is_foreign(file);
}
