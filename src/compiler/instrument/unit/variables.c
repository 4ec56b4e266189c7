#include "compiler/instrument/unit/variables.h"

#include <limits.h>
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/function/function.h"
#include "compiler/instrument/unit/declared.h"
#include "compiler/instrument/unit/handed.h"
#include "compiler/instrument/unit/members.h"
#include "compiler/instrument/unit/moved.h"
#include "compiler/instrument/unit/site.h"
#include "compiler/instrument/unit/source_line.h"
#include "compiler/instrument/unit/source_name.h"

enum { MOST_DEPTH = 4, MOST_NAME = 64 };

/* Calls are told by their place: optimisation keeps it. */
static struct variable {
    LLVMMetadataRef scope;
    unsigned line, column;
    int argument;         /* that leads to the variable; HANDED_AS_RESULT where the result goes there */
    struct handed handed; /* how it goes on to the caller of the function around, whose name counts */
    uint64_t bytes;       /* of the structure whose address the argument is */
    bool is_maker;        /* of a function of the program's own, which may allocate it */
    LLVMValueRef call;    /* as long as the unit is not optimised yet */
    unsigned number;      /* of the allocations of one place, from 1 where there are several */
    char name[MOST_NAME]; /* empty where it only goes on */
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

/* `new T(n)`: the object that is constructed. */
static bool is_new(LLVMValueRef object)
{
    if (!LLVMIsACallInst(object) && !LLVMIsAInvokeInst(object)) return false;
    LLVMValueRef callee = LLVMGetCalledValue(object);
    size_t length;
    return LLVMIsAFunction(callee) && name_begins(LLVMGetValueName2(callee, &length), "_Znwm");
}

/* Constructors and members of the library's containers allocate for what they are members of. */
static bool allocates_for_this(const char *callee)
{
    return name_begins(callee, "_ZNSt") || name_begins(callee, "posix_memalign") ||
           declared_is_allocation(callee);
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
    static const char *const made_up[] = {"call",       "ref.tmp",  "agg.tmp", "retval",    "this",
                                          "agg.result", "arrayidx", "incdec",  "add.ptr",   "tmp",
                                          "undef.agg",  "conv",     "cleanup", "arraydecay"};
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

/* clang calls a static variable u of the function step "step.u"; of several in its blocks the others have a
 * number behind it. */
static const char *name_in_function(LLVMValueRef global, const char *symbol)
{
    char function[MOST_NAME];
    const char *dot = LLVMGetLinkage(global) == LLVMInternalLinkage ? strchr(symbol, '.') : NULL;
    if (!dot || (size_t)(dot - symbol) >= sizeof function) return symbol;
    snprintf(function, sizeof function, "%.*s", (int)(dot - symbol), symbol);
    return LLVMGetNamedFunction(LLVMGetGlobalParent(global), function) ? dot + 1 : symbol;
}

static bool name_of(LLVMValueRef pointer, char *name)
{
    size_t length;
    const char *symbol = LLVMGetValueName2(pointer, &length);
    return clean(LLVMIsAGlobalVariable(pointer) ? name_in_function(pointer, symbol) : symbol, name);
}

/* `rows[i] = malloc(n)` is for rows, and so is `mesh->rows[i]`. */
static bool name_of_place(LLVMValueRef pointer, char *name, int depth)
{
    if (members_name(pointer, name, MOST_NAME) || name_of(pointer, name)) return true;
    bool is_fixed = LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr;
    bool leads_on = is_fixed || LLVMIsAGetElementPtrInst(pointer) || LLVMIsALoadInst(pointer);
    return leads_on && depth < MOST_DEPTH && name_of_place(LLVMGetOperand(pointer, 0), name, depth + 1);
}

static bool name_of_object(LLVMValueRef object, char *name, int depth);

/* Where the result of an allocation is put. */
static bool stored_as(LLVMValueRef value, char *name, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && depth < MOST_DEPTH; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use), holder = moved_into_pointer(use);
        if (holder) {
            if (name_of_object(holder, name, 0)) return true;
        } else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value) {
            if (name_of_place(LLVMGetOperand(user, 1), name, 0)) return true;
        } else if (LLVMIsAInsertValueInst(user) || LLVMIsABitCastInst(user) || LLVMIsAPHINode(user) ||
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
    bool is_whole = LLVMIsAGlobalVariable(object) || LLVMIsAAllocaInst(object);
    LLVMValueRef other = depth < MOST_DEPTH ? moved_from_temporary(object) : NULL;
    if (other) return name_of_object(other, name, depth + 1);
    if ((is_whole && name_of(object, name)) || name_of_place(object, name, 0)) return true;
    if ((!LLVMIsACallInst(object) && !LLVMIsAInvokeInst(object)) || depth == MOST_DEPTH) return false;
    if (is_new(object)) return stored_as(object, name, depth + 1);
    LLVMValueRef callee = LLVMGetCalledValue(object);
    if (!LLVMIsAFunction(callee) || !LLVMGetNumArgOperands(object)) return false;
    if (!name_begins(LLVMGetValueName2(callee, &length), "_ZNSt")) return false;
    return name_of_object(LLVMGetOperand(object, 0), name, depth + 1);
}

/* A function of the program's own, perhaps of another unit. */
static bool is_of_program(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    if (LLVMIsAGlobalAlias(callee)) callee = LLVMAliasGetAliasee(callee); /* constructors of whole objects */
    if (!LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee)) return false;
    const char *text = LLVMGetValueName2(callee, &length);
    return !allocates(text) && !name_begins(text, "_ZNSt") && !name_begins(text, "_ZNKSt") &&
           !name_begins(text, "parcast_") && !name_begins(text, "_FortranA") &&
           known_callee(call).kind == KNOWN_NOT;
}

bool variable_is_made(LLVMValueRef call, int argument)
{
    LLVMValueRef made = argument == HANDED_AS_RESULT ? call : LLVMGetOperand(call, (unsigned)argument);
    return LLVMGetTypeKind(LLVMTypeOf(made)) == LLVMPointerTypeKind && is_of_program(call);
}

/* A member of a class in a header of the system, a library's vector or matrix, that may change its object. */
static bool is_foreign_member(LLVMValueRef callee, const char *symbol)
{
    return name_begins(symbol, "_ZN") && !name_begins(symbol, "_ZNK") && !LLVMIsDeclaration(callee) &&
           site_is_foreign(callee);
}

static bool is_for_this(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    const char *text = LLVMGetValueName2(callee, &length);
    return LLVMGetNumArgOperands(call) && (allocates_for_this(text) || is_foreign_member(callee, text)) &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 0))) == LLVMPointerTypeKind;
}

static bool is_allocation(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    if (!LLVMIsAFunction(callee)) return false;
    return allocates(LLVMGetValueName2(callee, &length)) || is_for_this(call) ||
           variable_is_made(call, HANDED_AS_RESULT);
}

static bool find_name(LLVMValueRef call, char *name)
{
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind;
    if (is_pointer && stored_as(call, name, 0)) return true;
    return (!is_pointer || is_for_this(call)) && name_of_object(LLVMGetOperand(call, 0), name, 0);
}

static bool is_called(LLVMValueRef value, const char *name, size_t length)
{
    size_t n;
    const char *text = LLVMGetValueName2(value, &n);
    return n == length && memcmp(text, name, n) == 0;
}

static bool has_value(LLVMValueRef function, const char *name, size_t length)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_called(i, name, length)) return true;
    return false;
}

/* Where a macro hides it: a name has got a number only where another value of the function had it before. */
static void drop_number(LLVMValueRef call, char *name)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    for (size_t kept = strlen(name); kept-- > 1 && name[kept] >= '0' && name[kept] <= '9';) {
        if (!has_value(function, name, kept)) continue;
        name[kept] = '\0';
        return;
    }
}

/* "mesh." is a member of mesh; which one is said in the line. */
static void find_member(struct variable *found)
{
    size_t length = strlen(found->name);
    if (found->name[length - 1] != '.') return;
    found->name[--length] = '\0';
    char member[MOST_NAME];
    if (source_line_member(found->scope, found->line, found->name, member, sizeof member) &&
        length + 1 + strlen(member) < sizeof found->name)
        snprintf(found->name + length, sizeof found->name - length, ".%s", member);
}

/* As its line of the source calls what the front end has a name for. */
static void write_as_source(struct variable *found, LLVMValueRef instruction)
{
    if (strchr(found->name, '.'))
        find_member(found);
    else if (*found->name && !source_line_drop_number(found->scope, found->line, found->name))
        drop_number(instruction, found->name);
}

bool variable_of_place(LLVMValueRef place, LLVMValueRef instruction, char *name, size_t size)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
    struct variable found = {.name = ""};
    if (!at || !name_of_place(place, found.name, 0)) return false;
    found.scope = LLVMDILocationGetScope(at);
    found.line = LLVMDILocationGetLine(at);
    write_as_source(&found, instruction);
    snprintf(name, size, "%s", found.name);
    return true;
}

static void add(struct variable *found)
{
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(found->call);
    found->scope = LLVMDILocationGetScope(place);
    found->line = LLVMDILocationGetLine(place);
    found->column = LLVMDILocationGetColumn(place);
    const char *told = declared_name(found->call, found->argument);
    if (told)
        snprintf(found->name, sizeof found->name, "%s", told);
    else
        write_as_source(found, found->call);
    if (!*found->name && found->handed.to == HANDED_NOWHERE) return;
    if (n_variables == capacity) {
        capacity = capacity ? 2 * capacity : 64;
        variables = more_of(variables, capacity, sizeof *variables);
    }
    variables[n_variables++] = *found;
}

static uint64_t size_of(LLVMValueRef call, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    return LLVMABISizeOfType(LLVMGetModuleDataLayout(LLVMGetGlobalParent(function)), type);
}

/* `make(&u, n)`: it may allocate what the variable leads to then. */
static void look_at_arguments(LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind) continue;
        LLVMTypeRef structure = handed_structure(argument);
        struct variable found = {.argument = (int)i,
                                 .handed = handed_on(argument),
                                 .is_maker = true,
                                 .bytes = structure ? size_of(call, structure) : 0,
                                 .call = call};
        LLVMValueRef other = moved_from_temporary(argument);
        if (other) {
            found.handed = handed_into(other);
            name_of_object(other, found.name, 0);
        } else if (structure || handed_is_slot(argument))
            name_of_place(argument, found.name, 0);
        add(&found);
    }
}

static void look_at(LLVMValueRef call)
{
    if (!LLVMInstructionGetDebugLoc(call)) return;
    if (is_of_program(call)) look_at_arguments(call);
    if (!is_allocation(call)) return;
    struct variable found = {.argument = HANDED_AS_RESULT,
                             .handed = handed_from(call),
                             .is_maker = variable_is_made(call, HANDED_AS_RESULT) && !is_for_this(call),
                             .call = call};
    /* members of the library's containers say nothing */
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    if (found.handed.is_part && site_is_foreign(function)) found.handed.to = HANDED_NOWHERE;
    find_name(call, found.name);
    add(&found);
}

static int compare(const struct variable *a, const struct variable *b)
{
    if (a->scope != b->scope) return (uintptr_t)a->scope < (uintptr_t)b->scope ? -1 : 1;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    if (a->column != b->column) return a->column < b->column ? -1 : 1;
    return a->argument < b->argument ? -1 : a->argument > b->argument;
}

/* Of one place in the order of the source. */
static int by_place(const void *a, const void *b)
{
    const struct variable *x = a, *y = b;
    int order = compare(x, y);
    if (order) return order;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Calls keep their attributes. */
static const char attribute[] = "parcast-allocation";

static void mark(LLVMValueRef call, unsigned number)
{
    char text[16];
    int length = snprintf(text, sizeof text, "%u", number);
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
    LLVMAddCallSiteAttribute(
        call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, attribute, sizeof attribute - 1, text, (unsigned)length));
}

static unsigned number_of(LLVMValueRef call)
{
    unsigned length;
    LLVMAttributeRef marked = LLVMGetCallSiteStringAttribute(
        call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute, sizeof attribute - 1);
    return marked ? (unsigned)strtoul(LLVMGetStringAttributeValue(marked, &length), NULL, 10) : 0;
}

/* Several allocations of one statement, or one macro. */
static void tell_apart(void)
{
    for (size_t i = 0; i < n_variables; i++) variables[i].number = (unsigned)i + 1;
    qsort(variables, n_variables, sizeof *variables, by_place);
    for (size_t i = 0; i < n_variables; i++) {
        struct variable *v = &variables[i];
        bool is_shared = (i && compare(v - 1, v) == 0) || (i + 1 < n_variables && compare(v + 1, v) == 0);
        if (is_shared && !v->is_maker) mark(v->call, v->number);
    }
}

void variables_find(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) look_at(i);
    tell_apart();
}

/* The last one of a place, or the one of a number. */
static const struct variable *variable_at(LLVMMetadataRef place, int argument, unsigned number)
{
    struct variable wanted = {.scope = LLVMDILocationGetScope(place),
                              .line = LLVMDILocationGetLine(place),
                              .column = LLVMDILocationGetColumn(place),
                              .argument = argument,
                              .number = number ? number : UINT_MAX};
    size_t low = 0, high = n_variables;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_place(&variables[middle], &wanted) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    const struct variable *found = low ? &variables[low - 1] : NULL;
    return found && compare(found, &wanted) == 0 ? found : NULL;
}

/* The variable that leads to a structure, before what its member is called. */
static void put_before(struct variable_name *name, const char *variable)
{
    const char *inner = *name->outer ? name->outer : name->own ? name->own : "";
    char text[sizeof name->outer];
    int length = snprintf(text, sizeof text, "%s%s%s", variable, *inner ? "." : "", inner);
    if (length < (int)sizeof text) memcpy(name->outer, text, (size_t)length + 1);
}

/* The program's own variables, not those of a library that it is inlined into where the program calls that;
 * what a function hands on is its caller's. */
bool variable_of(LLVMValueRef call, int argument, struct variable_name *name)
{
    const char *structure = NULL;
    int handed = argument;
    bool is_part = false, was_own = false;
    unsigned number = number_of(call);
    *name = (struct variable_name){.own = NULL};
    for (LLVMMetadataRef place = LLVMInstructionGetDebugLoc(call), first = place; place;
         place = LLVMDILocationGetInlinedAt(place)) {
        if (!was_own && site_is_own_place(place)) {
            *name = (struct variable_name){.own = NULL}; /* a library's */
            is_part = false;
            was_own = true;
        }
        bool goes_on = handed != HANDED_NOWHERE;
        const struct variable *v = variable_at(place, handed, number);
        if (!v) v = variable_at(place, HANDED_AS_RESULT, number);
        bool counts = v && *v->name && (!v->is_maker || (goes_on && v->argument == handed));
        if (counts && is_part) structure = v->name, name->outer_place = place;
        if (counts && !is_part) name->own = v->name;
        if (counts && !is_part && v->is_maker) name->place = place;
        if (v && place == first && v->argument == argument) name->bytes = v->bytes;
        if (v && v->handed.is_part && v->handed.to != HANDED_NOWHERE) {
            if (structure) put_before(name, structure);
            structure = NULL;
            is_part = true;
        }
        handed = v ? v->handed.to : HANDED_NOWHERE;
        name->goes_on = handed != HANDED_NOWHERE && !v->handed.is_part;
        number = 0;
    }
    if (structure && !name->goes_on) put_before(name, structure);
    return name->own || *name->outer;
}

bool variable_in_frame(LLVMValueRef array, char *name, size_t size)
{
    char found[MOST_NAME];
    const char *told = declared_in_frame(array);
    if (told) return snprintf(name, size, "%s", told) < (int)size;
    bool is_temporary = LLVMInstructionGetDebugLoc(array) && LLVMIsConstant(LLVMGetOperand(array, 0));
    if (is_temporary || !name_of(array, found) || name_begins(found, "vla") ||
        name_begins(found, "saved_stack"))
        return false;
    return snprintf(name, size, "%s", found) < (int)size;
}

void variables_clear(void)
{
    free(variables);
    variables = NULL;
    n_variables = capacity = 0;
}
