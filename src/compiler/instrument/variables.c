#include "variables.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "function.h"
#include "source_name.h"

enum { MOST_DEPTH = 4, MOST_NAME = 64 };

/* Calls are told by their place: optimisation keeps it. */
static struct variable {
    LLVMMetadataRef scope;
    unsigned line, column;
    char name[MOST_NAME];
} *variables;
static size_t n_variables, capacity;

static bool allocates(const char *callee)
{
    static const char *const names[] = {"malloc",
                                        "calloc",
                                        "realloc",
                                        "aligned_alloc",
                                        "memalign",
                                        "_Znwm",
                                        "_Znam",
                                        "mmap",
                                        "valloc",
                                        "strdup",
                                        "_ZnwmSt11align_val_t",
                                        "_ZnamSt11align_val_t"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(callee, names[i]) == 0) return true;
    return false;
}

/* Constructors and members of the library's containers allocate for what they are members of. */
static bool allocates_for_this(const char *callee)
{
    return name_begins(callee, "_ZNSt") || name_begins(callee, "posix_memalign");
}

/* What C++ calls a variable of a namespace; of a static one in a function the last name alone. */
static const char *name_in_namespace(const char *symbol, char *text, size_t size)
{
    source_name(symbol, text, size);
    for (char *p; strchr(text, '(') && (p = strstr(text, "::"));) text = p + 2;
    return text;
}

/* "u.addr" is u; Fortran's "_QFEu" and "_QMmeshEu" are u. Names that the front end made up are none. */
static bool clean(const char *name, char *result)
{
    static const char *const made_up[] = {"call",     "ref.tmp", "agg.tmp",   "retval", "this",
                                          "arrayidx", "incdec",  "add.ptr",   "tmp",    "undef.agg",
                                          "conv",     "cleanup", "arraydecay"};
    char text[256];
    if (name_begins(name, "_Z")) name = name_in_namespace(name, text, sizeof text);
    if (name_begins(name, "_Q") && strrchr(name, 'E')) name = strrchr(name, 'E') + 1;
    size_t length = strcspn(name, ".");
    for (size_t i = 0; i < sizeof made_up / sizeof *made_up; i++)
        if (name_begins(name, made_up[i])) return false;
    if (!length || length >= MOST_NAME) return false;
    memcpy(result, name, length);
    result[length] = '\0';
    return true;
}

static bool name_of(LLVMValueRef pointer, char *name)
{
    size_t length;
    return clean(LLVMGetValueName2(pointer, &length), name);
}

/* `rows[i] = malloc(n)` is for rows, and so is `mesh->rows[i]`. */
static bool name_of_place(LLVMValueRef pointer, char *name, int depth)
{
    if (name_of(pointer, name)) return true;
    bool leads_on = LLVMIsAGetElementPtrInst(pointer) || LLVMIsALoadInst(pointer);
    return leads_on && depth < MOST_DEPTH && name_of_place(LLVMGetOperand(pointer, 0), name, depth + 1);
}

/* Where the result of an allocation is put. */
static bool stored_as(LLVMValueRef value, char *name, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && depth < MOST_DEPTH; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value) {
            if (name_of_place(LLVMGetOperand(user, 1), name, 0)) return true;
        } else if (LLVMIsAInsertValueInst(user) || LLVMIsABitCastInst(user) ||
                   LLVMIsAGetElementPtrInst(user)) {
            if (stored_as(user, name, depth + 1)) return true;
        }
    }
    return false;
}

/* `fields.position[d].resize(n)` is for position. */
static bool name_of_object(LLVMValueRef object, char *name, int depth)
{
    size_t length;
    if (name_of_place(object, name, 0)) return true;
    if ((!LLVMIsACallInst(object) && !LLVMIsAInvokeInst(object)) || depth == MOST_DEPTH) return false;
    LLVMValueRef callee = LLVMGetCalledValue(object);
    if (!LLVMIsAFunction(callee) || !LLVMGetNumArgOperands(object)) return false;
    if (!name_begins(LLVMGetValueName2(callee, &length), "_ZNSt")) return false;
    return name_of_object(LLVMGetOperand(object, 0), name, depth + 1);
}

static bool find_name(LLVMValueRef call, char *name)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    if (!LLVMIsAFunction(callee)) return false;
    const char *text = LLVMGetValueName2(callee, &length);
    if (allocates(text)) return stored_as(call, name, 0);
    if (!allocates_for_this(text) || !LLVMGetNumArgOperands(call)) return false;
    LLVMValueRef object = LLVMGetOperand(call, 0);
    return LLVMGetTypeKind(LLVMTypeOf(object)) == LLVMPointerTypeKind && name_of_object(object, name, 0);
}

/* ---- names of values are made unique by numbers: the source knows what stands there ---- */

static bool read_line(LLVMMetadataRef scope, unsigned number, char *line, size_t size)
{
    unsigned n_folder, n_file;
    LLVMMetadataRef file = LLVMDIScopeGetFile(scope);
    const char *folder = LLVMDIFileGetDirectory(file, &n_folder),
               *name = LLVMDIFileGetFilename(file, &n_file);
    char path[4096];
    bool absolute = n_file && name[0] == '/';
    snprintf(path, sizeof path, "%.*s%s%.*s", absolute ? 0 : (int)n_folder, folder ? folder : "",
             absolute || !n_folder ? "" : "/", (int)n_file, name ? name : "");
    FILE *in = fopen(path, "r");
    bool found = false;
    for (unsigned i = 1; in && !found && fgets(line, (int)size, in); i++) found = i == number;
    if (in) fclose(in);
    return found;
}

static bool has_word(const char *line, const char *word, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    for (const char *p = line; (p = strstr(p, word)); p++) {
        bool begins_here = p == line || !strchr(letters, p[-1]);
        if (begins_here && (!p[length] || !strchr(letters, p[length]))) return true;
    }
    return false;
}

/* u12 is u where the line says so. */
static bool drop_number(const struct variable *v, char *name)
{
    char line[1024];
    size_t length = strlen(name), kept = length;
    while (kept && name[kept - 1] >= '0' && name[kept - 1] <= '9') kept--;
    if (!kept || kept == length) return kept > 0;
    if (!read_line(v->scope, v->line, line, sizeof line)) return false;
    if (has_word(line, name, length)) return true;
    name[kept] = '\0';
    return has_word(line, name, kept);
}

static void look_at(LLVMValueRef call)
{
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(call);
    struct variable found;
    if (!place || !find_name(call, found.name)) return;
    found.scope = LLVMDILocationGetScope(place);
    found.line = LLVMDILocationGetLine(place);
    found.column = LLVMDILocationGetColumn(place);
    if (!drop_number(&found, found.name)) return;
    if (n_variables == capacity) {
        capacity = capacity ? 2 * capacity : 64;
        variables = more_of(variables, capacity, sizeof *variables);
    }
    variables[n_variables++] = found;
}

void variables_find(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) look_at(i);
}

/* The program's own variables before those of the library that it is inlined into. */
const char *variable_of(LLVMValueRef call)
{
    const char *found = NULL;
    for (LLVMMetadataRef place = LLVMInstructionGetDebugLoc(call); place;
         place = LLVMDILocationGetInlinedAt(place))
        for (size_t i = 0; i < n_variables; i++) {
            const struct variable *v = &variables[i];
            if (v->scope == LLVMDILocationGetScope(place) && v->line == LLVMDILocationGetLine(place) &&
                v->column == LLVMDILocationGetColumn(place))
                found = v->name;
        }
    return found;
}

bool variable_in_frame(LLVMValueRef array, char *name, size_t size)
{
    char found[MOST_NAME];
    /* clang calls all arrays of variable length so */
    if (!name_of(array, found) || name_begins(found, "vla") || name_begins(found, "saved_stack"))
        return false;
    return snprintf(name, size, "%s", found) < (int)size;
}

void variables_clear(void)
{
    free(variables);
    variables = NULL;
    n_variables = capacity = 0;
}
