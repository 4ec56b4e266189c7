/*
 * parcast-instrument [--region NAME]... [--declared IN.bc] IN.bc OUT.bc
 *
 * The second of the three steps of `parcast cc --values`: the front end has made bitcode without optimising
 * it; here it is optimised so that its memory traffic is that of the source's arrays, and instrumented; the
 * code generator may then optimise at will. A program of its own, because only it needs LLVM.
 */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/instrument/emit/inline.h"
#include "compiler/instrument/emit/instrument.h"
#include "compiler/instrument/prepare/atomics.h"
#include "compiler/instrument/prepare/complex_products.h"
#include "compiler/instrument/prepare/constrained.h"
#include "compiler/instrument/prepare/jumps.h"
#include "compiler/instrument/prepare/lane_wise.h"
#include "compiler/instrument/prepare/lanes.h"
#include "compiler/instrument/prepare/returns.h"
#include "compiler/instrument/prepare/short_sums.h"
#include "compiler/instrument/prepare/sunk.h"
#include "compiler/instrument/prepare/twins.h"
#include "compiler/instrument/unit/declared.h"
#include "compiler/instrument/unit/effects.h"
#include "compiler/instrument/unit/lengths.h"
#include "compiler/instrument/unit/members.h"
#include "compiler/instrument/unit/named_region.h"
#include "compiler/instrument/unit/ordering.h"
#include "compiler/instrument/unit/pieces.h"
#include "compiler/instrument/unit/plain.h"
#include "compiler/instrument/unit/variables.h"

/* Also before the rest for functions that are made for a machine of their own, `target("avx2")`: without a
 * machine LLVM puts no function into one that is not made for the very same, and what chose a place in a
 * vector of the library would stay behind in the call. */
#define INLINING                                                                                             \
    "function(lower-expect),always-inline,globalopt,"                                                        \
    "cgscc(function-attrs,inline,function(sroa,early-cse<memssa>,simplifycfg,tailcallelim,simplifycfg,"      \
    "instcombine<no-verify-fixpoint>))"

/* Inlining first, for accessors; then registers instead of stack words, without vectors and unrolling, which
 * would hide reductions, and numbers one by one where the program was written with vectors; last the forms
 * that the instrumenter expects. No pointer leads to variables of the unit whose address nobody takes, so
 * that a number of rows is not loaded again after each store. */
static const char usual_passes[] =
    INLINING ",require<globals-aa>,function(invalidate<aa>),"
             "function(sroa,early-cse<memssa>,simplifycfg,scalarize-masked-mem-intrin,scalarizer,"
             "instcombine<no-verify-fixpoint>,loop-mssa(loop-rotate,licm),simplifycfg,"
             "instcombine<no-verify-fixpoint>,gvn,loop-mssa(licm),instcombine<no-verify-fixpoint>,"
             "simplifycfg,adce)";

/* Loops that are marked are written out, which may leave the one around them as short as they were. */
static const char short_passes[] =
    "function(loop-unroll<O2;no-partial;no-peeling;no-runtime;no-upperbound>,sroa,early-cse<memssa>,"
    "instcombine<no-verify-fixpoint>,simplifycfg,adce)";
enum { MOST_ROUNDS = 3 };

/* Once ways lead where they go. */
static const char parted_passes[] =
    "function(simplifycfg,sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce)";

static const char last_passes[] = "function(loop-simplify,lcssa,break-crit-edges),globaldce";

static int fail(const char *path, const char *what, const char *why)
{
    fprintf(stderr, "parcast-instrument: error: %s '%s': %s\n", what, path, why);
    return 1;
}

/* Regions, and what puts words in order: the end of either is told. */
static bool is_to_be_kept(LLVMValueRef f, const char *const *regions, int n)
{
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    if (LLVMIsDeclaration(f)) return false;
    for (int i = 0; i < n; i++)
        if (region_matches(name, regions[i])) return true;
    return ordering_end(f) >= 0;
}

static void keep_functions(LLVMModuleRef module, const char *const *regions, int n)
{
    unsigned noinline = LLVMGetEnumAttributeKindForName("noinline", 8);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (is_to_be_kept(f, regions, n))
            LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                    LLVMCreateEnumAttribute(LLVMGetModuleContext(module), noinline, 0));
}

/* Once stores have left their branches. */
static const char sunk_passes[] =
    "function(adce,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg,adce,"
    "loop-simplify,lcssa,break-crit-edges)";

/* There is one thread where values are followed, so that atomic operations are plain ones. */
static const char first_passes[] = "function(lower-atomic)";

static int optimise_for(LLVMModuleRef module, const char *passes, LLVMTargetMachineRef machine,
                        const char *path)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
    LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
    LLVMPassBuilderOptionsSetLoopUnrolling(options, 0);
    LLVMErrorRef error = LLVMRunPasses(module, passes, machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error) return 0;
    char *text = LLVMGetErrorMessage(error);
    fail(path, "cannot optimise", text);
    LLVMDisposeErrorMessage(text);
    return 1;
}

static int optimise(LLVMModuleRef module, const char *passes, const char *path)
{
    return optimise_for(module, passes, NULL, path);
}

/* Are functions made for different machines? */
static bool machines_differ(LLVMModuleRef module)
{
    static const char name[] = "target-features";
    const char *first = NULL;
    unsigned n_first = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMAttributeRef features =
            LLVMIsDeclaration(f)
                ? NULL
                : LLVMGetStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name,
                                                sizeof name - 1);
        unsigned n = 0;
        const char *text = features ? LLVMGetStringAttributeValue(features, &n) : NULL;
        if (!text) continue;
        if (first && (n != n_first || memcmp(text, first, n) != 0)) return true;
        first = text;
        n_first = n;
    }
    return false;
}

static int inline_for_machines(LLVMModuleRef module, const char *path)
{
    LLVMTargetRef target;
    char *message = NULL;
    if (!machines_differ(module) || LLVMInitializeNativeTarget()) return 0;
    if (LLVMGetTargetFromTriple(LLVMGetTarget(module), &target, &message)) {
        LLVMDisposeMessage(message);
        return 0;
    }
    LLVMTargetMachineRef machine =
        LLVMCreateTargetMachine(target, LLVMGetTarget(module), "", "", LLVMCodeGenLevelDefault,
                                LLVMRelocDefault, LLVMCodeModelDefault);
    int failed = machine ? optimise_for(module, INLINING, machine, path) : 0;
    if (machine) LLVMDisposeTargetMachine(machine);
    return failed;
}

static int prepare(LLVMModuleRef module, const char *path)
{
    if (inline_for_machines(module, path)) return 1;
    if (optimise(module, usual_passes, path)) return 1;
    lane_wise_narrow(module);
    twins_merge(module);
    if (returns_part(module) && optimise(module, parted_passes, path)) return 1;
    for (int i = 0; i < MOST_ROUNDS && short_sums_mark(module); i++)
        if (optimise(module, short_passes, path)) return 1;
    if (optimise(module, last_passes, path)) return 1;
    return sink_stores(module) ? optimise(module, sunk_passes, path) : 0;
}

static int process(LLVMModuleRef module, LLVMModuleRef plain, const char *in, const char *out,
                   const char *const *regions, int n)
{
    char *text = NULL;
    lengths_name(module);
    variables_find(module);
    constrained_make_plain(module);
    constrained_make_plain(plain);
    complex_products_make_plain(module);
    complex_products_make_plain(plain);
    lanes_make_plain(module);
    lanes_make_plain(plain);
    jumps_number(module);
    jumps_number(plain);
    keep_functions(module, regions, n);
    keep_functions(plain, regions, n);
    atomics_make_copies(module);
    pieces_note(module);
    pieces_note(plain); /* what is alike is optimised alike */
    effects_tell(module);
    effects_tell(plain);
    if (optimise(module, first_passes, in) || prepare(module, in) || prepare(plain, in)) return 1;
    effects_forget(module);
    effects_forget(plain);
    pieces_forget(plain);
    instrument_unit(module, regions, n);
    variables_clear();
    members_clear();
    declared_clear();
    if (inline_add(module))
        return fail(in, "cannot add the run time's short ways to", "the linker refused them");
    if (!plain_add(module, plain, regions, n)) return fail(in, "cannot link", "its plain version");
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &text)) {
        fail(in, "instrumented code is not valid", text);
        LLVMDisposeMessage(text);
        return 1;
    }
    LLVMDisposeMessage(text);
    return LLVMWriteBitcodeToFile(module, out) ? fail(out, "cannot write", "see the message above") : 0;
}

static int usage(void)
{
    fputs("usage: parcast-instrument [--region NAME]... [--declared IN.bc] IN.bc OUT.bc\n", stderr);
    return 2;
}

/* Loads and stores of vectors, too, are to be taken apart, and no loop is to be written out but those that
 * are marked: LLVM has these as options of its command line only. */
static void set_options(void)
{
    static const char *const options[] = {"parcast-instrument", "-scalarize-load-store",
                                          "-unroll-threshold=1"};
    LLVMParseCommandLineOptions(sizeof options / sizeof *options, options, NULL);
}

/* Bitcode, or text where that is what the front end could make. NULL, and why. */
static LLVMModuleRef read_module(LLVMContextRef context, const char *path, char **why)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, why)) return NULL;
    return LLVMParseIRInContext(context, buffer, &module, why) ? NULL : module; /* the buffer is its own */
}

/* The same unit as its author wrote it, of which only the declarations count; without it none are known. */
static void read_declared(const char *path)
{
    LLVMContextRef context = LLVMContextCreate();
    char *text = NULL;
    LLVMModuleRef module = path ? read_module(context, path, &text) : NULL;
    if (module) {
        members_read(module);
        declared_read(module);
        LLVMDisposeModule(module);
    }
    LLVMDisposeMessage(text);
    LLVMContextDispose(context);
}

static int run(const char *const *files, const char *const *regions, int n_regions)
{
    LLVMContextRef context = LLVMContextCreate();
    char *text = NULL;
    LLVMModuleRef module = read_module(context, files[0], &text);
    LLVMModuleRef plain = module ? read_module(context, files[0], &text) : NULL;
    if (!plain) return fail(files[0], "cannot read", text);
    int status = process(module, plain, files[0], files[1], regions, n_regions);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return status;
}

int main(int argc, char **argv)
{
    const char **regions = calloc((size_t)argc, sizeof *regions), *files[2] = {NULL, NULL};
    const char *declared = NULL;
    int n_regions = 0, n_files = 0;
    if (!regions) return 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--region") == 0 && i + 1 < argc)
            regions[n_regions++] = argv[++i];
        else if (strcmp(argv[i], "--declared") == 0 && i + 1 < argc)
            declared = argv[++i];
        else if (n_files < 2)
            files[n_files++] = argv[i];
    }
    set_options();
    read_declared(declared);
    int status = n_files == 2 ? run(files, regions, n_regions) : usage();
    free(regions);
    return status;
}
