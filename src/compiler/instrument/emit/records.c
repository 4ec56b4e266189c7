#include "compiler/instrument/emit/records.h"

#include "compiler/instrument/emit/emit.h"
#include "compiler/instrument/function/strides.h"

enum { MOST_RECORDS = 64, MOST_BYTES = 4096, LEAST_BYTES = 2, MOST_STEPS = 16 };
enum { FEW_FIELDS = 8, MOST_FIELDS = 64 }; /* few are found by distances */

struct record {
    LLVMValueRef base;
    unsigned bytes;
};

/* What lies so many bytes apart in an array: which words of each are read or written. */
struct strided {
    LLVMValueRef base;
    unsigned bytes, element;
    unsigned long long fields;
};

static bool is_place(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

static LLVMValueRef below_places(LLVMValueRef pointer)
{
    for (int i = 0; i < MOST_STEPS && is_place(pointer); i++) pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

/* Where a pointer that goes from element to element begins; NULL for any other choice. */
static LLVMValueRef beginning(LLVMValueRef phi)
{
    LLVMValueRef found = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef from = below_places(LLVMGetIncomingValue(phi, i));
        if (from == phi || from == found) continue;
        if (found) return NULL;
        found = from;
    }
    return found;
}

/* Outside of loops where possible: the array as a whole and not each element. */
static LLVMValueRef base_of(LLVMValueRef place)
{
    LLVMValueRef base = below_places(place);
    for (int i = 0; i < MOST_STEPS && LLVMIsAPHINode(base); i++) {
        LLVMValueRef before = beginning(base);
        if (!before) break;
        base = before;
    }
    return base;
}

/* Larger ones are no fields of a cell. */
static unsigned structure_bytes(const struct function *f, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind || !LLVMTypeIsSized(type)) return 0;
    unsigned long long bytes = LLVMABISizeOfType(f->module->layout, type);
    return bytes >= LEAST_BYTES && bytes <= MOST_BYTES ? (unsigned)bytes : 0;
}

static LLVMTypeRef member(LLVMTypeRef type, LLVMValueRef index)
{
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return LLVMGetElementType(type);
    return LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
}

/* The largest structure that an index which is computed counts: of a cell with three velocities the cell. */
static unsigned record_bytes(const struct function *f, LLVMValueRef place)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(place);
    unsigned most = 0;
    for (int i = 1; i < LLVMGetNumOperands(place); i++) {
        LLVMValueRef index = LLVMGetOperand(place, (unsigned)i);
        if (i > 1) type = member(type, index);
        unsigned bytes = LLVMIsAConstantInt(index) ? 0 : structure_bytes(f, type);
        if (bytes > most) most = bytes;
    }
    return most;
}

static int add_record(struct record *records, int n, LLVMValueRef base, unsigned bytes)
{
    for (int i = 0; i < n; i++) {
        if (records[i].base != base) continue;
        if (bytes > records[i].bytes) records[i].bytes = bytes;
        return n;
    }
    if (n < MOST_RECORDS) records[n++] = (struct record){base, bytes};
    return n;
}

/* What a site has told often enough it need not tell again: a flag is looked at, no more. */
static LLVMValueRef times_told(const struct module_state *m)
{
    LLVMTypeRef byte = LLVMInt8TypeInContext(m->context);
    LLVMValueRef times = LLVMAddGlobal(m->module, byte, "parcast.told");
    LLVMSetInitializer(times, LLVMConstNull(byte));
    LLVMSetLinkage(times, LLVMPrivateLinkage);
    return times;
}

static void emit_record(struct function *f, const struct record *record)
{
    struct module_state *m = f->module;
    int node = node_of(f, record->base);
    if (node >= 0 && f->nodes[node].position >= 0) {
        if (f->blocks[f->nodes[node].block].order < 0) return;
        emit_after(f, node);
    } else {
        emit_at_top(f, 0);
    }
    LLVMValueRef arguments[3] = {record->base, emit_i32(m, record->bytes), times_told(m)};
    emit_call(m, HOOK_record, arguments, 3);
}

/* The bytes of what is loaded or stored, if it is a number. */
static unsigned accessed(const struct function *f, LLVMValueRef i, LLVMValueRef *pointer)
{
    if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i)) return 0;
    *pointer = LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
    LLVMTypeRef type = LLVMTypeOf(LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind != LLVMDoubleTypeKind && kind != LLVMFloatTypeKind && kind != LLVMIntegerTypeKind) return 0;
    unsigned bytes = (unsigned)LLVMABISizeOfType(f->module->layout, type);
    return bytes <= 8 ? bytes : 0;
}

static int add_strided(struct strided *all, int n, const struct strided *one)
{
    for (int i = 0; i < n; i++) {
        if (all[i].base != one->base || all[i].bytes != one->bytes || all[i].element != one->element)
            continue;
        all[i].fields |= one->fields;
        return n;
    }
    if (n < MOST_RECORDS) all[n++] = *one;
    return n;
}

/* Half of their words at least, each at a place of its own: a matrix of so many columns is none. */
static int add_strides(struct function *f, struct record *records, int n)
{
    struct strided all[MOST_RECORDS];
    int n_all = 0;
    for (int i = 0; i < f->n_nodes; i++) {
        LLVMValueRef pointer;
        long long offset;
        struct strided one = {.element = accessed(f, f->nodes[i].value, &pointer)};
        if (!one.element) continue;
        one.base = base_of(pointer);
        unsigned long long bytes = stride_bytes(f->module->layout, one.base, pointer, &offset);
        if (bytes % one.element || bytes / one.element <= FEW_FIELDS || bytes / one.element > MOST_FIELDS)
            continue;
        one.bytes = (unsigned)bytes;
        long long within = (offset % (long long)bytes + (long long)bytes) % (long long)bytes;
        one.fields = 1ULL << (within / one.element);
        n_all = add_strided(all, n_all, &one);
    }
    for (int i = 0; i < n_all; i++)
        if (2 * (unsigned)__builtin_popcountll(all[i].fields) >= all[i].bytes / all[i].element)
            n = add_record(records, n, all[i].base, all[i].bytes);
    return n;
}

void records_emit(struct function *f)
{
    struct record records[MOST_RECORDS];
    int n = 0;
    for (int i = 0; i < f->n_nodes; i++) {
        LLVMValueRef place = f->nodes[i].value;
        if (!LLVMIsAGetElementPtrInst(place) || LLVMGetTypeKind(LLVMTypeOf(place)) != LLVMPointerTypeKind)
            continue;
        unsigned bytes = record_bytes(f, place);
        if (bytes) n = add_record(records, n, base_of(place), bytes);
    }
    n = add_strides(f, records, n);
    for (int i = 0; i < n; i++) emit_record(f, &records[i]);
}
