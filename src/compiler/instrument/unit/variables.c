#include "compiler/instrument/unit/variables.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/function.h"
#include "compiler/instrument/unit/source_name.h"

enum { MOST_DEPTH = 4, MOST_NAME = 64 };

/* Calls are told by their place: optimisation keeps it. */
static struct variable {
    LLVMMetadataRef scope;
    unsigned line, column;
    bool is_maker;    /* a function of the program's own, which may allocate what it returns */
    bool is_returned; /* it goes to the caller of the function that the call stands in, whose name counts */
    char name[MOST_NAME]; /* empty where it is only returned */
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

/* The slot itself, or that of the table in which a row is noted: of `rows` in `rows[i] = ..`. */
static LLVMValueRef slot_behind(LLVMValueRef place)
{
    if (!LLVMIsAGetElementPtrInst(place) ||
        LLVMGetTypeKind(LLVMGetGEPSourceElementType(place)) != LLVMPointerTypeKind)
        return LLVMIsAAllocaInst(place) ? place : NULL;
    LLVMValueRef table = LLVMGetOperand(place, 0);
    return LLVMIsALoadInst(table) ? LLVMGetOperand(table, 0) : NULL;
}

/* Does it get into a slot, through others perhaps? */
static bool goes_to(LLVMValueRef value, LLVMValueRef slot, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && depth < MOST_DEPTH; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user) && goes_to(user, slot, depth + 1)) return true;
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != value) continue;
        LLVMValueRef to = slot_behind(LLVMGetOperand(user, 1));
        if (!to || !LLVMIsAAllocaInst(to)) continue;
        if (to == slot || goes_to(to, slot, depth + 1)) return true;
    }
    return false;
}

/* What a call allocates, or puts into its first argument, is what the function around it returns. */
static bool is_returned(LLVMValueRef call)
{
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind;
    LLVMValueRef made = is_pointer ? call : LLVMGetOperand(call, 0);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    for (block = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(block)); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        LLVMValueRef result =
            end && LLVMIsAReturnInst(end) && LLVMGetNumOperands(end) ? LLVMGetOperand(end, 0) : NULL;
        if (!result) continue;
        if (result == call) return true;
        LLVMValueRef slot = LLVMIsALoadInst(result) ? LLVMGetOperand(result, 0) : NULL;
        if (slot && (slot == made || goes_to(made, slot, 0))) return true;
    }
    return false;
}

bool variable_is_maker(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    if (!LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee)) return false;
    const char *text = LLVMGetValueName2(callee, &length);
    return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind && !allocates(text) &&
           !name_begins(text, "_ZNSt") && !name_begins(text, "_ZNKSt") && !name_begins(text, "parcast_") &&
           known_callee(call).kind == KNOWN_NOT;
}

static bool is_allocation(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    if (!LLVMIsAFunction(callee)) return false;
    const char *text = LLVMGetValueName2(callee, &length);
    bool on_first = LLVMGetNumArgOperands(call) && allocates_for_this(text) &&
                    LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 0))) == LLVMPointerTypeKind;
    return allocates(text) || on_first || variable_is_maker(call);
}

static bool find_name(LLVMValueRef call, char *name)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    if (!LLVMIsAFunction(callee)) return false;
    const char *text = LLVMGetValueName2(callee, &length);
    if (allocates(text) || variable_is_maker(call)) return stored_as(call, name, 0);
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
    struct variable found = {.is_maker = variable_is_maker(call)};
    if (!place || !is_allocation(call)) return;
    found.is_returned = is_returned(call);
    if (!find_name(call, found.name) && !found.is_returned) return;
    found.scope = LLVMDILocationGetScope(place);
    found.line = LLVMDILocationGetLine(place);
    found.column = LLVMDILocationGetColumn(place);
    if (*found.name && !drop_number(&found, found.name)) return;
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

static const struct variable *variable_at(LLVMMetadataRef place)
{
    const struct variable *found = NULL;
    for (size_t i = 0; i < n_variables; i++) {
        const struct variable *v = &variables[i];
        if (v->scope == LLVMDILocationGetScope(place) && v->line == LLVMDILocationGetLine(place) &&
            v->column == LLVMDILocationGetColumn(place))
            found = v;
    }
    return found;
}

/* The program's own variables before those of the library that it is inlined into; what a function returns is
 * its caller's. */
const char *variable_of(LLVMValueRef call, LLVMMetadataRef *where)
{
    const char *found = NULL;
    LLVMMetadataRef innermost = LLVMInstructionGetDebugLoc(call);
    bool goes_on = true;
    *where = NULL;
    for (LLVMMetadataRef place = innermost; place; place = LLVMDILocationGetInlinedAt(place)) {
        const struct variable *v = variable_at(place);
        if (v && (!v->is_maker || goes_on)) {
            if (*v->name) found = v->name;
            if (*v->name && v->is_maker) *where = place;
        }
        goes_on = v ? v->is_returned : false;
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
