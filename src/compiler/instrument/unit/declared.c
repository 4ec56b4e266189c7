#include "compiler/instrument/unit/declared.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/instrument/function/function.h"
#include "compiler/instrument/unit/handed.h"
#include "compiler/instrument/unit/source_name.h"

enum { MOST_NAME = 64, MOST_DEPTH = 8, IN_FRAME = -3 };

/* Optimisation keeps the order of the calls of one function in one statement, or drops some. */
static struct declared {
    char function[128], callee[128], name[MOST_NAME];
    unsigned line, column, number, n_calls, n_arguments;
    int argument; /* IN_FRAME: an array of the function's frame, told by where it is declared */
} *all;
static size_t n_all, capacity;

/* What debug information calls the variables of the function that is looked at. */
static struct local {
    LLVMValueRef value, name;
} *locals;
static size_t n_locals, local_capacity;

bool declared_is_allocation(const char *callee)
{
    return name_begins(callee, "_FortranAAllocatableAllocate") ||
           name_begins(callee, "_FortranAPointerAllocate");
}

/* ---- names of addresses ---- */

static void read_local(LLVMValueRef call)
{
    LLVMValueRef operands[16], callee = LLVMGetCalledValue(call), value;
    size_t length;
    if (!LLVMIsAFunction(callee) || strcmp(LLVMGetValueName2(callee, &length), "llvm.dbg.declare") != 0)
        return;
    int n = LLVMGetMDNodeNumOperands(LLVMGetOperand(call, 1));
    if (n < 2 || n > 16 || LLVMGetMDNodeNumOperands(LLVMGetOperand(call, 0)) != 1) return;
    LLVMGetMDNodeOperands(LLVMGetOperand(call, 1), operands); /* scope, name, .. */
    LLVMGetMDNodeOperands(LLVMGetOperand(call, 0), &value);
    if (!value || !operands[1] || !LLVMIsAMDString(operands[1])) return;
    if (n_locals == local_capacity) {
        local_capacity = local_capacity ? 2 * local_capacity : 64;
        locals = more_of(locals, local_capacity, sizeof *locals);
    }
    locals[n_locals++] = (struct local){value, operands[1]};
}

static bool write_name(const char *text, size_t length, char *name)
{
    return length && snprintf(name, MOST_NAME, "%.*s", (int)length, text) < MOST_NAME;
}

static bool name_of_local(LLVMValueRef value, char *name)
{
    for (size_t i = 0; i < n_locals; i++) {
        unsigned length;
        if (locals[i].value != value) continue;
        const char *text = LLVMGetMDString(locals[i].name, &length);
        return write_name(text, length, name);
    }
    return false;
}

/* "_QMgridEu": capitals are what the name after them is. */
static bool name_of_global(LLVMValueRef global, char *name)
{
    size_t length;
    const char *symbol = LLVMGetValueName2(global, &length), *entity = strrchr(symbol, 'E');
    bool is_variable = name_begins(symbol, "_Q") && entity && !strchr(entity, '.');
    return is_variable && write_name(entity + 1, strlen(entity + 1), name);
}

/* Flang's own table of the components of type "_QMgridTfield": "_QMgridE.c.field". */
static LLVMValueRef components_of(LLVMTypeRef type, LLVMModuleRef unit)
{
    const char *text = LLVMIsLiteralStruct(type) ? NULL : LLVMGetStructName(type);
    const char *own = text && name_begins(text, "_Q") ? strrchr(text, 'T') : NULL;
    char table[256];
    if (!own) return NULL;
    snprintf(table, sizeof table, "%.*sE.c.%s", (int)(own - text), text, own + 1);
    LLVMValueRef global = LLVMGetNamedGlobal(unit, table);
    return global ? LLVMGetInitializer(global) : NULL;
}

/* Of a record in that table: the descriptor of its name, and its offset. */
static bool name_of_component(LLVMTypeRef type, unsigned member, LLVMModuleRef unit, char *name)
{
    enum { NAME = 0, OFFSET = 6 };
    LLVMValueRef table = components_of(type, unit), record;
    uint64_t offset = LLVMOffsetOfElement(LLVMGetModuleDataLayout(unit), type, member);
    for (unsigned i = 0; table && (record = LLVMGetAggregateElement(table, i)); i++) {
        LLVMValueRef place = LLVMGetAggregateElement(record, OFFSET);
        if (!place || !LLVMIsAConstantInt(place) || LLVMConstIntGetZExtValue(place) != offset) continue;
        LLVMValueRef text = LLVMGetAggregateElement(LLVMGetAggregateElement(record, NAME), 0);
        LLVMValueRef string = LLVMIsAGlobalVariable(text) ? LLVMGetInitializer(text) : NULL;
        size_t length;
        if (!string || !LLVMIsConstantString(string)) return false;
        const char *letters = LLVMGetAsString(string, &length);
        return write_name(letters, length, name);
    }
    return false;
}

/* The first component lies where a variable of the type does. */
static bool name_of_first(LLVMTypeRef type, LLVMModuleRef unit, char *name)
{
    bool any = false;
    while (LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMCountStructElementTypes(type) &&
           name_of_component(type, 0, unit, name)) {
        type = LLVMStructGetTypeAtIndex(type, 0);
        any = true;
    }
    return any;
}

static bool name_of_address(LLVMValueRef address, LLVMModuleRef unit, char *name)
{
    if (LLVMIsAGlobalVariable(address))
        return name_of_first(LLVMGlobalGetValueType(address), unit, name) || name_of_global(address, name);
    if (name_of_local(address, name)) return true;
    bool is_computed = LLVMIsAGetElementPtrInst(address) ||
                       (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr);
    if (!is_computed || LLVMGetNumOperands(address) != 3) return false;
    LLVMValueRef member = LLVMGetOperand(address, 2);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    return LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMIsAConstantInt(member) &&
           name_of_component(type, (unsigned)LLVMConstIntGetZExtValue(member), unit, name);
}

/* Memory gets into a descriptor, which goes through others that have no name. */
static bool name_of_memory(LLVMValueRef value, LLVMModuleRef unit, char *name, int depth)
{
    if (name_of_local(value, name)) return true;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && depth < MOST_DEPTH; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value;
        LLVMValueRef next = is_stored ? LLVMGetOperand(user, 1) : user;
        if (is_stored && name_of_address(next, unit, name)) return true;
        bool leads_on = is_stored ? LLVMIsAAllocaInst(next) != NULL
                                  : LLVMIsAInsertValueInst(user) || LLVMIsALoadInst(user);
        if (leads_on && name_of_memory(next, unit, name, depth + 1)) return true;
    }
    return false;
}

/* ---- calls ---- */

static const char *callee_of(LLVMValueRef call)
{
    size_t length;
    LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : NULL;
}

/* Which of the calls of one function in one statement it is. */
static bool describe(LLVMValueRef call, int argument, struct declared *told)
{
    size_t length;
    const char *callee = callee_of(call);
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(call);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    if (!place || !callee) return false;
    *told = (struct declared){.line = LLVMDILocationGetLine(place),
                              .column = LLVMDILocationGetColumn(place),
                              .n_arguments = LLVMGetNumArgOperands(call),
                              .argument = argument};
    snprintf(told->function, sizeof told->function, "%s", LLVMGetValueName2(function, &length));
    snprintf(told->callee, sizeof told->callee, "%s", callee);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMMetadataRef other = LLVMInstructionGetDebugLoc(i);
            if (i == call) told->number = told->n_calls;
            if (other && callee_of(i) && strcmp(callee_of(i), callee) == 0 &&
                LLVMDILocationGetLine(other) == told->line && LLVMDILocationGetColumn(other) == told->column)
                told->n_calls++;
        }
    return true;
}

static void add(const struct declared *told, const char *name)
{
    if (n_all == capacity) {
        capacity = capacity ? 2 * capacity : 64;
        all = more_of(all, capacity, sizeof *all);
    }
    all[n_all] = *told;
    snprintf(all[n_all].name, sizeof all->name, "%s", name);
    n_all++;
}

static void keep(LLVMValueRef call, int argument, const char *name)
{
    struct declared told;
    if (describe(call, argument, &told)) add(&told, name);
}

static void keep_frame(void)
{
    char name[MOST_NAME];
    for (size_t i = 0; i < n_locals; i++) {
        LLVMValueRef array = locals[i].value;
        LLVMMetadataRef place = LLVMIsAAllocaInst(array) ? LLVMInstructionGetDebugLoc(array) : NULL;
        if (!place || !name_of_local(array, name)) continue;
        struct declared told = {.line = LLVMDILocationGetLine(place),
                                .column = LLVMDILocationGetColumn(place),
                                .argument = IN_FRAME};
        add(&told, name);
    }
}

static void read_call(LLVMValueRef call, LLVMModuleRef unit)
{
    const char *callee = callee_of(call);
    char name[MOST_NAME];
    if (!callee || name_begins(callee, "llvm.")) return;
    if (strcmp(callee, "malloc") == 0) {
        if (name_of_memory(call, unit, name, 0)) keep(call, HANDED_AS_RESULT, name);
    } else if (declared_is_allocation(callee)) {
        if (name_of_address(LLVMGetOperand(call, 0), unit, name)) keep(call, HANDED_AS_RESULT, name);
    } else if (!name_begins(callee, "_FortranA")) {
        for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
            LLVMValueRef argument = LLVMGetOperand(call, i);
            if (handed_is_slot(argument) && name_of_address(argument, unit, name)) keep(call, (int)i, name);
        }
    }
}

void declared_read(LLVMModuleRef unit)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(unit); f; f = LLVMGetNextFunction(f)) {
        n_locals = 0;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsACallInst(i)) read_local(i);
        keep_frame();
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsACallInst(i)) read_call(i, unit);
    }
}

static bool is_same(const struct declared *a, const struct declared *b)
{
    return a->line == b->line && a->column == b->column && a->argument == b->argument &&
           a->number == b->number && a->n_calls == b->n_calls && a->n_arguments == b->n_arguments &&
           strcmp(a->function, b->function) == 0 && strcmp(a->callee, b->callee) == 0;
}

/* Before the calls are counted. */
static bool may_be_told(LLVMValueRef call, int argument)
{
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(call);
    for (size_t i = 0; place && i < n_all; i++)
        if (all[i].line == LLVMDILocationGetLine(place) && all[i].argument == argument) return true;
    return false;
}

const char *declared_name(LLVMValueRef call, int argument)
{
    struct declared wanted;
    if (!may_be_told(call, argument) || !describe(call, argument, &wanted)) return NULL;
    for (size_t i = 0; i < n_all; i++)
        if (is_same(&all[i], &wanted)) return all[i].name;
    return NULL;
}

const char *declared_in_frame(LLVMValueRef array)
{
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(array);
    for (size_t i = 0; place && i < n_all; i++)
        if (all[i].argument == IN_FRAME && all[i].line == LLVMDILocationGetLine(place) &&
            all[i].column == LLVMDILocationGetColumn(place))
            return all[i].name;
    return NULL;
}

void declared_clear(void)
{
    free(all);
    free(locals);
    all = NULL;
    locals = NULL;
    n_all = capacity = n_locals = local_capacity = 0;
}
