/*
 * An array is what words are found in by their offsets and what distributions cut, so a variable that holds
 * several is several. C and C++ tell by the type of the variable. Flang's blocks in common are bytes: what
 * begins in them is what procedures declare there, which is lost when the unit is optimised.
 */
#include "compiler/instrument/unit/members.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/instrument/function/function.h"
#include "compiler/instrument/unit/source_name.h"

enum { SMALL = 128, MOST_DEPTH = 4 };

/* A variable that a procedure declares in a block in common. */
static struct begin {
    char block[128], name[64];
    uint64_t offset;
} *begins;
static size_t n_begins, begin_capacity;

static struct member *members;
static size_t n_members, capacity;

static void add_member(uint64_t offset, uint64_t bytes, const char *name)
{
    if (n_members == capacity) {
        capacity = capacity ? 2 * capacity : 16;
        members = more_of(members, capacity, sizeof *members);
    }
    members[n_members] = (struct member){.offset = offset, .bytes = bytes};
    snprintf(members[n_members++].name, sizeof members->name, "%.*s", (int)sizeof members->name - 1, name);
}

/* ---- blocks in common ---- */

/* The global and the offset in it that an address is. */
static LLVMValueRef base_of(LLVMValueRef address, LLVMTargetDataRef layout, uint64_t *offset)
{
    *offset = 0;
    if (LLVMIsAGlobalVariable(address)) return address;
    if (!LLVMIsAConstantExpr(address) || LLVMGetConstOpcode(address) != LLVMGetElementPtr ||
        LLVMGetNumOperands(address) != 2 || !LLVMIsAConstantInt(LLVMGetOperand(address, 1)))
        return NULL;
    *offset = LLVMConstIntGetZExtValue(LLVMGetOperand(address, 1)) *
              LLVMABISizeOfType(layout, LLVMGetGEPSourceElementType(address));
    return LLVMIsAGlobalVariable(LLVMGetOperand(address, 0));
}

static void add_begin(const char *block, uint64_t offset, LLVMValueRef name)
{
    unsigned length = 0;
    const char *text = name && LLVMIsAMDString(name) ? LLVMGetMDString(name, &length) : "";
    if (n_begins == begin_capacity) {
        begin_capacity = begin_capacity ? 2 * begin_capacity : 64;
        begins = more_of(begins, begin_capacity, sizeof *begins);
    }
    struct begin *begin = &begins[n_begins++];
    *begin = (struct begin){.offset = offset};
    snprintf(begin->block, sizeof begin->block, "%s", block);
    snprintf(begin->name, sizeof begin->name, "%.*s", (int)length, text);
}

/* The operands of a local variable's node: scope, name, .. */
static LLVMValueRef name_in(LLVMValueRef variable)
{
    LLVMValueRef operands[16];
    int n = LLVMGetMDNodeNumOperands(variable);
    if (n < 2 || n > 16) return NULL;
    LLVMGetMDNodeOperands(variable, operands);
    return operands[1];
}

static void look_at(LLVMValueRef call, LLVMTargetDataRef layout)
{
    size_t length;
    uint64_t offset;
    LLVMValueRef callee = LLVMGetCalledValue(call), address, global;
    if (!LLVMIsAFunction(callee) || strcmp(LLVMGetValueName2(callee, &length), "llvm.dbg.declare") != 0)
        return;
    if (LLVMGetMDNodeNumOperands(LLVMGetOperand(call, 0)) != 1) return;
    LLVMGetMDNodeOperands(LLVMGetOperand(call, 0), &address);
    global = address ? base_of(address, layout, &offset) : NULL;
    if (global) add_begin(LLVMGetValueName2(global, &length), offset, name_in(LLVMGetOperand(call, 1)));
}

static int compare_begins(const void *a, const void *b)
{
    const struct begin *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

void members_read(LLVMModuleRef unit)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(unit);
    LLVMSetIsNewDbgInfoFormat(unit, 0); /* calls, which the C interface can see */
    for (LLVMValueRef f = LLVMGetFirstFunction(unit); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsACallInst(i)) look_at(i, layout);
    if (n_begins) qsort(begins, n_begins, sizeof *begins, compare_begins);
}

/* The next beginning in the block after an offset; the block's end where there is none. */
static uint64_t next_begin(const char *block, uint64_t offset, uint64_t end)
{
    for (size_t i = 0; i < n_begins; i++)
        if (begins[i].offset > offset && begins[i].offset < end && strcmp(begins[i].block, block) == 0)
            return begins[i].offset;
    return end;
}

static void add_common(const char *block, uint64_t bytes, const char *whole)
{
    for (size_t i = 0; i < n_begins; i++) {
        const struct begin *begin = &begins[i];
        if (strcmp(begin->block, block) != 0 || begin->offset >= bytes) continue;
        uint64_t end = next_begin(block, begin->offset, bytes);
        char name[sizeof begin->name + sizeof members->name + 4];
        snprintf(name, sizeof name, "%s (%s)", begin->name, whole);
        bool is_same = n_members && members[n_members - 1].offset == begin->offset;
        if (!is_same && end - begin->offset >= SMALL) add_member(begin->offset, end - begin->offset, name);
    }
}

/* ---- structures ---- */

static LLVMValueRef node_of_type(LLVMContextRef context, LLVMMetadataRef type)
{
    return type ? LLVMMetadataAsValue(context, type) : NULL;
}

/* Operand `number` of a node; NULL where there is none. */
static LLVMValueRef operand_of(LLVMValueRef node, int number)
{
    enum { MOST = 4096 };
    static LLVMValueRef operands[MOST];
    int n = node && LLVMIsAMDNode(node) ? LLVMGetMDNodeNumOperands(node) : 0;
    if (number >= n || n > MOST) return NULL;
    LLVMGetMDNodeOperands(node, operands);
    return operands[number];
}

static bool is_kind(LLVMValueRef node, LLVMMetadataKind kind)
{
    return node && LLVMIsAMDNode(node) && LLVMGetMetadataKind(LLVMValueAsMetadata(node)) == (unsigned)kind;
}

/* Operands of types: file, scope, name, what it is made of, elements. */
enum { TYPE_OF = 3, ELEMENTS = 4 };

static LLVMValueRef without_names(LLVMValueRef type)
{
    for (int i = 0; i < MOST_DEPTH && is_kind(type, LLVMDIDerivedTypeMetadataKind); i++)
        type = operand_of(type, TYPE_OF);
    return type;
}

/* What debug information calls the member at an offset of a structure, and its type. */
static LLVMValueRef member_at(LLVMValueRef type, uint64_t offset, const char **name, size_t *length)
{
    LLVMValueRef elements = operand_of(without_names(type), ELEMENTS), element;
    for (int i = 0; (element = operand_of(elements, i)); i++) {
        if (!is_kind(element, LLVMDIDerivedTypeMetadataKind)) continue;
        LLVMMetadataRef member = LLVMValueAsMetadata(element);
        if (LLVMDITypeGetOffsetInBits(member) != 8 * offset) continue;
        *name = LLVMDITypeGetName(member, length);
        return operand_of(element, TYPE_OF);
    }
    return NULL;
}

static void add_structure(LLVMTypeRef type, LLVMValueRef told, uint64_t at, const char *whole,
                          LLVMTargetDataRef layout, int depth)
{
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
        LLVMTypeRef element = LLVMStructGetTypeAtIndex(type, i);
        uint64_t offset = LLVMOffsetOfElement(layout, type, i), bytes = LLVMABISizeOfType(layout, element);
        size_t length = 0;
        const char *own = "";
        char name[sizeof members->name];
        LLVMValueRef inner = member_at(told, offset, &own, &length);
        int written = snprintf(name, sizeof name, "%s%s%.*s", whole, length ? "." : "", (int)length, own);
        if (written >= (int)sizeof name || bytes < SMALL) continue;
        if (LLVMGetTypeKind(element) == LLVMArrayTypeKind)
            add_member(at + offset, bytes, name);
        else if (LLVMGetTypeKind(element) == LLVMStructTypeKind && depth < MOST_DEPTH)
            add_structure(element, inner, at + offset, name, layout, depth + 1);
    }
}

static LLVMValueRef type_told(LLVMValueRef global)
{
    size_t n;
    LLVMValueRef found = NULL;
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(global));
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &n);
    for (size_t i = 0; i < n && !found; i++) {
        LLVMMetadataRef metadata = LLVMValueMetadataEntriesGetMetadata(entries, (unsigned)i);
        if (LLVMGetMetadataKind(metadata) != LLVMDIGlobalVariableExpressionMetadataKind) continue;
        LLVMMetadataRef variable = LLVMDIGlobalVariableExpressionGetVariable(metadata);
        found = operand_of(node_of_type(context, variable), TYPE_OF);
    }
    LLVMDisposeValueMetadataEntries(entries);
    return found;
}

/* ---- both ---- */

/* What lies before, between and behind the arrays keeps the name of the whole. */
static void fill_gaps(uint64_t bytes, const char *whole)
{
    size_t n = n_members;
    uint64_t end = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t offset = members[i].offset;
        if (offset > end) add_member(end, offset - end, whole);
        end = offset + members[i].bytes;
    }
    if (bytes > end) add_member(end, bytes - end, whole);
}

const struct member *members_of(LLVMValueRef global, LLVMTargetDataRef layout, size_t *n)
{
    size_t length;
    char whole[sizeof members->name];
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    uint64_t bytes = LLVMABISizeOfType(layout, type);
    n_members = 0;
    source_name_of_global(global, whole, sizeof whole);
    /* a type without a name is an array of which only the beginning has been told */
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind && !LLVMIsLiteralStruct(type))
        add_structure(type, type_told(global), 0, whole, layout, 0);
    else
        add_common(LLVMGetValueName2(global, &length), bytes, whole);
    if (n_members == 1 && members[0].bytes == bytes) n_members = 0;
    fill_gaps(bytes, whole);
    *n = n_members;
    return members;
}

/* Goes on to the member, or element, of a number; with its name in structures. */
static LLVMTypeRef enter(LLVMTypeRef type, unsigned i, LLVMTargetDataRef layout, LLVMValueRef *told,
                         char *name, size_t size)
{
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        *told = operand_of(without_names(*told), TYPE_OF);
        return LLVMGetElementType(type);
    }
    size_t length = 0, used = strlen(name);
    const char *own = "";
    *told = *told ? member_at(*told, LLVMOffsetOfElement(layout, type, i), &own, &length) : NULL;
    if (length) snprintf(name + used, size - used, ".%.*s", (int)length, own);
    return LLVMStructGetTypeAtIndex(type, i);
}

static bool is_structure(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind;
}

bool members_name(LLVMValueRef address, char *name, size_t size)
{
    bool is_computed = LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr;
    LLVMValueRef global = is_computed ? LLVMGetOperand(address, 0) : address;
    size_t length;
    if (!LLVMIsAGlobalVariable(global) || name_begins(LLVMGetValueName2(global, &length), "_Q")) return false;
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(global));
    if (!is_structure(type) || LLVMIsLiteralStruct(type) || LLVMIsOpaqueStruct(type) ||
        (is_computed && LLVMGetGEPSourceElementType(address) != type))
        return false;
    LLVMValueRef told = type_told(global);
    source_name_of_global(global, name, size);
    bool is_told = told != NULL;
    for (int i = 2; i < LLVMGetNumOperands(address) && is_computed; i++) {
        LLVMValueRef index = LLVMGetOperand(address, (unsigned)i);
        if (!LLVMIsAConstantInt(index) || (!is_structure(type) && LLVMGetTypeKind(type) != LLVMArrayTypeKind))
            return false;
        type = enter(type, (unsigned)LLVMConstIntGetZExtValue(index), layout, &told, name, size);
    }
    /* the first member begins where the structure does */
    while (is_structure(type) && LLVMCountStructElementTypes(type))
        type = enter(type, 0, layout, &told, name, size);
    size_t used = strlen(name);
    if (!is_told) snprintf(name + used, size - used, ".");
    return used + 1 < size;
}

void members_clear(void)
{
    free(begins);
    free(members);
    begins = NULL;
    members = NULL;
    n_begins = begin_capacity = n_members = capacity = 0;
}
