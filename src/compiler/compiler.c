/* The steps of a wrapper. */
#include "parcast/compiler.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/arguments.h"
#include "compiler/assembly.h"
#include "compiler/cause.h"
#include "compiler/response.h"
#include "compiler/run.h"

static void add_kind(const struct run *run, struct words *words, enum argument_kind kind)
{
    for (size_t i = 0; i < run->compile->n_arguments; i++)
        if (run->arguments.kind[i] == kind) words_add(words, run->compile->arguments[i]);
}

/* Bytes of a path without the last suffix of its name. */
static int stem_length(const char *path)
{
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path, *dot = strrchr(base, '.');
    return (int)(dot ? dot - path : (long)strlen(path));
}

/* a/b.c -> b.o; what is made of a source where -o does not say. */
static void made_name(const char *source, const char *suffix, struct words *words)
{
    const char *base = strrchr(source, '/') ? strrchr(source, '/') + 1 : source;
    words_addf(words, "%.*s%s", stem_length(base), base, suffix);
}

/* The dependency file is named after what is made in the end, not after what lies between. */
static void add_dependencies(const struct run *run, const char *source, struct words *words)
{
    const struct arguments *a = &run->arguments;
    struct words made = {0};
    if (!a->makes_dependencies || run_is_fortran(run)) return;
    if (a->output)
        words_add(&made, a->output);
    else
        made_name(source, ".o", &made);
    if (made.failed) words->failed = true;
    if (!made.failed && !a->names_dependency_file) {
        words_add(words, "-MF");
        words_addf(words, "%.*s.d", stem_length(made.word[0]), made.word[0]);
    }
    if (!made.failed && !a->names_dependency_target) {
        words_add(words, "-MT");
        words_add(words, made.word[0]);
    }
    words_clear(&made);
}

/* Messages name lines of the source, whether -g was given or not. */
static bool asks_for_debugging(const struct run *run)
{
    for (size_t i = 0; i < run->compile->n_arguments; i++)
        if (run->arguments.kind[i] == ARGUMENT_BOTH && strncmp(run->compile->arguments[i], "-g", 2) == 0 &&
            strcmp(run->compile->arguments[i], "-g0") != 0)
            return true;
    return false;
}

static void add_all(struct words *words, const char *const *options)
{
    for (; *options; options++) words_add(words, *options);
}

/* Code as its author wrote it, which the instrumenter optimises: no vectors, nothing inlined before regions
 * are marked. At flang's -O1 whole-array statements are loops and not calls of its library; its passes cannot
 * be left out as clang's. */
static void add_front_options(const struct run *run, struct words *words)
{
    static const char *const fortran[] = {
        "-O1",    "-ffp-contract=off",    "-mllvm", "-vectorize-loops=false",
        "-mllvm", "-vectorize-slp=false", "-mllvm", "-inline-threshold=-100000",
        "-mllvm", "-unroll-threshold=0",  "-mllvm", "-unroll-partial-threshold=0",
        NULL};
    static const char *const c[] = {
        "-O1",
        "-funroll-loops", /* at -O1 every loop would be marked: none is unrolled */
        "-Xclang",
        "-disable-llvm-passes",
        "-ffp-contract=off",
        "-DPARCAST_VALUES",
        "-U_FORTIFY_SOURCE", /* a copy that is checked is a copy */
        "-fno-discard-value-names",
        "-Wno-unused-command-line-argument",
        "-Wno-ignored-optimization-argument", /* nor of what is decided here, or GCC's */
        "-Wno-overriding-option",
        "-Wno-unknown-warning-option",
        NULL};
    add_all(words, run_is_fortran(run) ? fortran : c);
    if (!run_is_fortran(run)) words_addf(words, "-I%s", run->tools.include);
    if (!asks_for_debugging(run)) words_add(words, "-gline-tables-only");
}

/* The front end and what it is told, but for what it makes of the source. */
static void add_front(const struct run *run, size_t argument, struct words *words)
{
    const char *language = run->arguments.language[argument];
    words_add(words, run->tools.compiler);
    add_kind(run, words, ARGUMENT_BOTH);
    add_kind(run, words, ARGUMENT_GENERATOR);
    add_kind(run, words, ARGUMENT_FRONT);
    add_front_options(run, words);
    if (language) words_add(words, "-x");
    if (language) words_add(words, language);
    words_add(words, run->compile->arguments[argument]);
}

/* The compiler has said what is wrong, which need not be all that its user has to know. */
static parcast_status explain(const struct run *run, size_t argument, parcast_error *error)
{
    struct words words = {0};
    if (run_is_fortran(run)) return PARCAST_OK; /* flang has its own */
    add_front(run, argument, &words);
    parcast_status result = cause_no_openmp(&run->tools, &words, run->compile->arguments[argument], error);
    words_clear(&words);
    return result;
}

static parcast_status front_end(const struct run *run, size_t argument, const char *bitcode, int *status,
                                parcast_error *error)
{
    struct words words = {0};
    const char *source = run->compile->arguments[argument];
    add_front(run, argument, &words);
    add_dependencies(run, source, &words);
    words_add(&words, "-emit-llvm");
    words_add(&words, !run_is_fortran(run) && assembly_takes_files(source) ? "-S" : "-c");
    words_add(&words, "-o");
    words_add(&words, bitcode);
    parcast_status result = tools_run(&words, status, error);
    words_clear(&words);
    return result;
}

/* Flang's optimised units do not tell any more what lies where in blocks in common. */
static void ask_what_is_declared(const struct run *run, size_t argument, const char *bitcode)
{
    struct words words = {0};
    const char *language = run->arguments.language[argument];
    int status;
    if (!run_is_fortran(run)) return;
    words_add(&words, run->tools.compiler);
    add_kind(run, &words, ARGUMENT_BOTH);
    add_kind(run, &words, ARGUMENT_FRONT);
    add_all(&words, (const char *const[]){"-O0", "-g", "-emit-llvm", "-c", NULL});
    if (language) words_add(&words, "-x");
    if (language) words_add(&words, language);
    words_add(&words, run->compile->arguments[argument]);
    words_add(&words, "-o");
    words_add(&words, bitcode);
    tools_ask(&words, &status, NULL);
    words_clear(&words);
}

static void add_environment_regions(struct words *words)
{
    const char *names = getenv("PARCAST_REGION");
    while (names && *names) {
        names += strspn(names, " ");
        size_t length = strcspn(names, ","), used = length;
        while (used && names[used - 1] == ' ') used--;
        if (used) {
            words_add(words, "--region");
            words_addf(words, "%.*s", (int)used, names);
        }
        names += length + (names[length] == ',');
    }
}

static parcast_status instrument(const struct run *run, const char *bitcode, const char *declared,
                                 const char *instrumented, int *status, parcast_error *error)
{
    struct words words = {0};
    words_add(&words, run->tools.instrumenter);
    for (size_t i = 0; i < run->compile->n_regions; i++) {
        words_add(&words, "--region");
        words_add(&words, run->compile->regions[i]);
    }
    add_environment_regions(&words);
    if (run_is_fortran(run)) words_add(&words, "--declared");
    if (run_is_fortran(run)) words_add(&words, declared);
    words_add(&words, bitcode);
    words_add(&words, instrumented);
    parcast_status result = tools_run(&words, status, error);
    words_clear(&words);
    return result;
}

/* Bitcode has no lines for messages of assembly: the source has. What only follows of instrumenting it is
 * told as it is. */
static parcast_status complain(const struct run *run, size_t argument, const struct words *generator,
                               int *status, parcast_error *error)
{
    struct words words = {0};
    int as_written = 0;
    add_front(run, argument, &words);
    words_add(&words, "-c");
    words_add(&words, "-o");
    words_add(&words, "/dev/null");
    parcast_status result = tools_run(&words, &as_written, error);
    if (!result && !as_written) result = tools_run(generator, status, error);
    words_clear(&words);
    return result;
}

static parcast_status generate(const struct run *run, size_t argument, const char *instrumented,
                               const char *object, int *status, parcast_error *error)
{
    struct words words = {0};
    words_add(&words, "clang-19"); /* bitcode has no language any more */
    words_add(&words, "-O2");
    words_add(&words, "-Wno-unused-command-line-argument");
    words_add(&words, "-Wno-override-module");
    add_kind(run, &words, ARGUMENT_GENERATOR);
    add_kind(run, &words, ARGUMENT_MACHINE);
    assembly_add_folders(run, &words);
    words_add(&words, run->arguments.mode == MODE_ASSEMBLY ? "-S" : "-c");
    words_add(&words, instrumented);
    words_add(&words, "-o");
    words_add(&words, object);
    parcast_status result = tools_ask(&words, status, error);
    if (!result && *status && *status < 128) result = complain(run, argument, &words, status, error);
    words_clear(&words);
    return result;
}

static parcast_status compile_source(const struct run *run, size_t number, size_t argument,
                                     const char *object, int *status, parcast_error *error)
{
    struct words between = {0};
    words_addf(&between, "%s/%zu.bc", run->tools.scratch, number);
    words_addf(&between, "%s/%zu.values.bc", run->tools.scratch, number);
    words_addf(&between, "%s/%zu.declared.bc", run->tools.scratch, number);
    if (between.failed) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    parcast_status result = front_end(run, argument, between.word[0], status, error);
    if (!result && *status && *status < 128) result = explain(run, argument, error);
    if (!result && !*status) ask_what_is_declared(run, argument, between.word[2]);
    if (!result && !*status)
        result = instrument(run, between.word[0], between.word[2], between.word[1], status, error);
    if (!result && !*status) result = generate(run, argument, between.word[1], object, status, error);
    words_clear(&between);
    return result;
}

static bool is_of_language(const struct run *run, size_t argument)
{
    return arguments_is_fortran(run->compile->arguments[argument], run->arguments.language[argument]) ==
           run_is_fortran(run);
}

/* Fortran among C or C among Fortran: its compiler has other words for the same options. */
static parcast_status compile_other(const struct run *run, size_t number, size_t argument, const char *object,
                                    int *status, parcast_error *error)
{
    parcast_compile compile = *run->compile;
    struct run other = {.compile = &compile};
    compile.language = run_is_fortran(run) ? PARCAST_C : PARCAST_FORTRAN;
    parcast_status result = tools_of_language(&run->tools, compile.language, &other.tools, error);
    if (!result) result = arguments_read(&compile, &other.arguments, error);
    if (!result) result = compile_source(&other, number, argument, object, status, error);
    arguments_clear(&other.arguments);
    return result;
}

/* Assembly is nobody's to instrument. With -S there is nothing to make of it, and the compiler says so. */
static parcast_status assemble(const struct run *run, size_t argument, const char *object, int *status,
                               parcast_error *error)
{
    struct words words = {0};
    const char *language = run->arguments.language[argument];
    bool makes_object = run->arguments.mode != MODE_ASSEMBLY;
    words_add(&words, run->tools.compiler);
    add_kind(run, &words, ARGUMENT_BOTH);
    add_kind(run, &words, ARGUMENT_GENERATOR);
    add_kind(run, &words, ARGUMENT_FRONT);
    if (makes_object) add_dependencies(run, run->compile->arguments[argument], &words);
    words_add(&words, makes_object ? "-c" : "-S");
    if (language) words_add(&words, "-x");
    if (language) words_add(&words, language);
    words_add(&words, run->compile->arguments[argument]);
    if (makes_object) words_add(&words, "-o");
    if (makes_object) words_add(&words, object);
    parcast_status result = tools_run(&words, status, error);
    words_clear(&words);
    return result;
}

/* With -c and -S the result is where -o says, or here with the name of the source; otherwise it is linked and
 * thrown away. */
static parcast_status compile_all(struct run *run, int *status, parcast_error *error)
{
    parcast_status result = PARCAST_OK;
    const struct arguments *a = &run->arguments;
    for (size_t i = 0, n = 0; !result && !*status && i < run->compile->n_arguments; i++) {
        const char *source = run->compile->arguments[i];
        if (!run_is_compiled(run, i)) continue;
        if (a->mode == MODE_LINK)
            words_addf(&run->objects, "%s/%zu.o", run->tools.scratch, n);
        else if (a->output && strcmp(source, a->output) != 0)
            words_add(&run->objects, a->output);
        else
            made_name(source, a->mode == MODE_ASSEMBLY ? ".s" : ".o", &run->objects);
        if (run->objects.failed) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
        const char *object = run->objects.word[n];
        if (a->kind[i] == ARGUMENT_ASSEMBLY)
            result = assemble(run, i, object, status, error);
        else if (is_of_language(run, i))
            result = compile_source(run, n, i, object, status, error);
        else
            result = compile_other(run, n, i, object, status, error);
        n++;
    }
    return result;
}

/* Questions, preprocessing, assembly, headers to be precompiled: the compiler as it is, without what only
 * others have. What is preprocessed
 * or precompiled is compiled later, so it sees the same definitions. */
static parcast_status pass_on(const struct run *run, int *status, parcast_error *error)
{
    static const char *const options[] = {"-DPARCAST_VALUES",
                                          "-U_FORTIFY_SOURCE",
                                          "-Wno-unused-command-line-argument",
                                          "-Wno-ignored-optimization-argument",
                                          "-Wno-unknown-warning-option",
                                          NULL};
    struct words words = {0};
    words_add(&words, run->tools.compiler);
    for (size_t i = 0; i < run->compile->n_arguments; i++) {
        unsigned char kind = run->arguments.kind[i];
        bool is_foreign = kind == ARGUMENT_FOREIGN || kind == ARGUMENT_MACHINE;
        if (!is_foreign) words_add(&words, run->compile->arguments[i]);
    }
    if (!run_is_fortran(run) && run->arguments.mode == MODE_COMPILE) {
        add_front_options(run, &words);
    } else if (!run_is_fortran(run)) {
        words_addf(&words, "-I%s", run->tools.include);
        add_all(&words, options);
    }
    parcast_status result = response_shorten(&words, run->tools.scratch, error);
    if (!result) result = tools_run(&words, status, error);
    words_clear(&words);
    return result;
}

static parcast_status refuse_machine(const struct run *run, parcast_error *error)
{
    parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0,
                      "%s asks for code of another machine; only what runs here, in 64 bits, can be followed",
                      run->arguments.machine);
    parcast_error_hint(error, "leave it out of the compiler's options");
    return PARCAST_UNSUPPORTED;
}

static parcast_status follow(struct run *run, int *status, parcast_error *error)
{
    int ended = 0;
    parcast_status result = arguments_read(run->compile, &run->arguments, error);
    const struct arguments *a = &run->arguments;
    bool several = a->n_sources + a->n_assembly > 1 && a->mode != MODE_LINK && a->output;
    bool nothing = !a->n_sources && (a->mode != MODE_LINK || !(a->n_linked + a->n_assembly));
    if (!result && (a->mode == MODE_OTHER || several || nothing)) {
        result = pass_on(run, &ended, error); /* the compiler has the better message */
    } else if (!result && a->machine) {
        result = refuse_machine(run, error);
    } else if (!result) {
        result = compile_all(run, &ended, error);
        if (!result && !ended && a->mode == MODE_LINK) result = run_link(run, &ended, error);
        if (!result && ended) result = cause_full_disk(&run->tools, error);
    }
    if (!result) *status = ended;
    return result;
}

parcast_status parcast_compiler_run(const parcast_compile *compile, int *status, parcast_error *error)
{
    struct words words = {0};
    parcast_compile expanded = *compile;
    struct run run = {.compile = &expanded};
    parcast_status result = response_expand(compile, &words, error);
    if (!result) result = tools_find(compile->language, &run.tools, error);
    if (!result) {
        expanded.arguments = (const char *const *)words.word;
        expanded.n_arguments = words.n;
        result = follow(&run, status, error);
    }
    words_clear(&run.objects);
    arguments_clear(&run.arguments);
    tools_clear(&run.tools);
    words_clear(&words);
    return result;
}
