#include "compiler/arguments.h"

#include <stdlib.h>
#include <string.h>

static bool begins(const char *word, const char *start)
{
    return strncmp(word, start, strlen(start)) == 0;
}

static bool among(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

static bool begins_with_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (begins(word, *list)) return true;
    return false;
}

/* Options whose value is the next word. */
static const char *const front_with_value[] = {
    "-I",         "-D",          "-U",        "-include", "-imacros", "-isystem", "-iquote",
    "-idirafter", "-iprefix",    "-isysroot", "-MF",      "-MT",      "-MQ",      "-Xpreprocessor",
    "-J",         "-module-dir", "-std",      NULL};
static const char *const link_with_value[] = {"-L", "-l",     "-Xlinker", "-T",      "-u",
                                              "-z", "-rpath", "-e",       "-soname", NULL};
static const char *const both_with_value[] = {"-Xclang",   "-mllvm", "-target", "-arch",
                                              "--sysroot", "-B",     NULL};

static bool is_source(const char *word, parcast_language language)
{
    static const char *const c[] = {".c", ".i", NULL};
    static const char *const cxx[] = {".cc", ".cpp", ".cxx", ".c++", ".C", ".cp", ".ii", ".CPP", ".c", NULL};
    static const char *const fortran[] = {".f", ".for", ".f77", ".f90", ".f95", ".f03", ".f08",
                                          ".F", ".F77", ".F90", ".F95", ".F03", ".F08", NULL};
    const char *end = strrchr(word, '.');
    if (word[0] == '-' || !end) return false;
    if (language == PARCAST_FORTRAN) return among(end, fortran);
    return among(end, c) || among(end, cxx);
}

/* What -x calls the languages that can be instrumented; assembly and headers to be precompiled cannot. */
static bool is_followed(const char *language)
{
    static const char *const followed[] = {"c",   "c++", "cpp-output",    "c++-cpp-output", "f77",
                                           "f95", "f90", "f77-cpp-input", "f95-cpp-input",  NULL};
    return among(language, followed);
}

static enum argument_kind kind_of_file(const char *word, parcast_language language, struct arguments *a)
{
    if (a->chosen ? !is_followed(a->chosen) : !is_source(word, language)) return ARGUMENT_LINK;
    a->n_sources++;
    return ARGUMENT_SOURCE;
}

static void choose_language(const char *language, struct arguments *a)
{
    a->chosen = strcmp(language, "none") == 0 ? NULL : language;
}

static enum argument_kind kind_of_dependency(const char *word, struct arguments *a)
{
    static const char *const asks[] = {"-M", "-MM", NULL};
    if (among(word, asks)) a->mode = MODE_OTHER;
    if (strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0) a->makes_dependencies = true;
    if (begins(word, "-MF")) a->names_dependency_file = true;
    if (begins(word, "-MT") || begins(word, "-MQ")) a->names_dependency_target = true;
    return ARGUMENT_FRONT;
}

static enum argument_kind kind_of_option(const char *word, struct arguments *a)
{
    static const char *const ends[] = {"-E",           "-S",   "-fsyntax-only", "--version", "-dumpversion",
                                       "-dumpmachine", "-###", "--help",        NULL};
    static const char *const questions[] = {"-print-", "--print-", "-help", NULL};
    static const char *const dropped[] = {"-c", "-flto", "-fopenmp", "-fopenmp-simd", "-emit-llvm", NULL};
    static const char *const generator[] = {"-f", "-m", NULL};
    static const char *const code[] = {"-fPIC",    "-fpic",        "-fPIE",           "-fpie",
                                       "-fno-pic", "-fno-pie",     "-fno-PIC",        "-fno-PIE",
                                       "-fno-plt", "-fexceptions", "-fno-exceptions", NULL};
    static const char *const link[] = {
        "-L",       "-l",        "-Wl,",           "-shared",       "-static",  "-rdynamic", "-pie",
        "-no-pie",  "-nostdlib", "-nodefaultlibs", "-nostartfiles", "-fuse-ld", "-s",        "-z",
        "-Xlinker", NULL};
    static const char *const front[] = {"-I",        "-D",         "-U",    "-W",          "-w",
                                        "-pedantic", "-std",       "-ansi", "-include",    "-isystem",
                                        "-iquote",   "-idirafter", "-J",    "-module-dir", "-H",
                                        "-C",        "-nostdinc",  NULL};
    if (begins(word, "-x")) {
        choose_language(word + 2, a);
        return ARGUMENT_DROPPED;
    }
    if (among(word, ends) || begins_with_one_of(word, questions)) a->mode = MODE_OTHER;
    if (strcmp(word, "-c") == 0 && a->mode == MODE_LINK) a->mode = MODE_COMPILE;
    if (strcmp(word, "-shared") == 0) a->is_shared = true;
    if (begins(word, "-fopenmp")) a->drops_openmp = true;
    if (among(word, dropped) || begins(word, "-O") || begins(word, "-flto=") || begins(word, "-fopenmp="))
        return ARGUMENT_DROPPED;
    if (begins(word, "-M")) return kind_of_dependency(word, a);
    if (begins_with_one_of(word, link)) return ARGUMENT_LINK;
    if (among(word, code) || begins(word, "-m")) return ARGUMENT_GENERATOR;
    if (begins_with_one_of(word, front)) return ARGUMENT_FRONT;
    return begins_with_one_of(word, generator) ? ARGUMENT_FRONT : ARGUMENT_BOTH;
}

/* An option with its value in the next word; returns how many words were taken. */
static size_t take_pair(const parcast_compile *compile, size_t i, struct arguments *a)
{
    const char *word = compile->arguments[i];
    bool last = i + 1 == compile->n_arguments;
    enum argument_kind kind;
    if (strcmp(word, "-o") == 0) {
        kind = ARGUMENT_DROPPED;
        if (!last) a->output = compile->arguments[i + 1];
    } else if (among(word, front_with_value)) {
        kind = begins(word, "-M") ? kind_of_dependency(word, a) : ARGUMENT_FRONT;
    } else if (among(word, link_with_value)) {
        kind = ARGUMENT_LINK;
    } else if (among(word, both_with_value)) {
        kind = ARGUMENT_BOTH;
    } else if (strcmp(word, "-x") == 0) { /* each source gets its own: the linker's files must not */
        kind = ARGUMENT_DROPPED;
        if (!last) choose_language(compile->arguments[i + 1], a);
    } else {
        return 0;
    }
    a->kind[i] = (unsigned char)kind;
    if (!last) a->kind[i + 1] = (unsigned char)kind;
    return last ? 1 : 2;
}

parcast_status arguments_read(const parcast_compile *compile, struct arguments *a, parcast_error *error)
{
    *a = (struct arguments){.mode = MODE_LINK};
    a->kind = calloc(compile->n_arguments + 1, 1);
    a->language = calloc(compile->n_arguments + 1, sizeof *a->language);
    if (!a->kind || !a->language) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    for (size_t i = 0; i < compile->n_arguments;) {
        const char *word = compile->arguments[i];
        size_t taken = take_pair(compile, i, a);
        if (!taken) {
            bool is_file = word[0] != '-' || !word[1]; /* "-" is standard input */
            a->kind[i] =
                (unsigned char)(is_file ? kind_of_file(word, compile->language, a) : kind_of_option(word, a));
            if (is_file) a->language[i] = a->chosen;
            taken = 1;
        }
        i += taken;
    }
    return PARCAST_OK;
}

void arguments_clear(struct arguments *a)
{
    free(a->kind);
    free(a->language);
    *a = (struct arguments){0};
}
