#include "compiler/arguments.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "compiler/fortran.h"

enum form { ALONE, JOINED, NEXT, EITHER };

struct option {
    const char *name;
    enum form form;
    enum argument_kind kind;
};

static const struct option known[] = {
#define X(name, form, kind) {name, form, ARGUMENT_##kind},
#include "compiler/options.def"
#undef X
};

static bool among(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

static bool fits(const char *word, const struct option *option)
{
    bool whole = strcmp(word, option->name) == 0;
    return option->form == JOINED || option->form == EITHER ? word_begins(word, option->name) : whole;
}

static const struct option *option_of(const char *word)
{
    const struct option *best = &known[0];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (fits(word, &known[i]) && strlen(known[i].name) > strlen(best->name)) best = &known[i];
    return best;
}

bool arguments_is_fortran(const char *word, const char *chosen)
{
    static const char *const ends[] = {".f", ".for", ".f77", ".f90", ".f95", ".f03", ".f08",
                                       ".F", ".F77", ".F90", ".F95", ".F03", ".F08", NULL};
    const char *end = strrchr(word, '.');
    return chosen ? word_begins(chosen, "f") : end && among(end, ends);
}

/* Of whichever language: a build may give a wrapper what its compiler hands on to another. */
static bool is_source(const char *word)
{
    static const char *const ends[] = {".c",  ".i",   ".cc",   ".cpp", ".cxx",  ".c++",  ".C",   ".cp",
                                       ".ii", ".CPP", ".cppm", ".ccm", ".cxxm", ".c++m", ".pcm", NULL};
    const char *end = strrchr(word, '.');
    return (end && among(end, ends)) || arguments_is_fortran(word, NULL);
}

/* What -x calls the languages that can be instrumented; assembly and headers to be precompiled cannot. */
static bool is_followed(const char *language)
{
    static const char *const followed[] = {"c",   "c++", "cpp-output", "c++-cpp-output", "c++-module",
                                           "f77", "f95", "f90",        "f77-cpp-input",  "f95-cpp-input",
                                           NULL};
    return among(language, followed);
}

static bool is_assembly(const char *word, const char *language)
{
    static const char *const ends[] = {".s", ".S", ".sx", NULL};
    const char *end = strrchr(word, '.');
    return language ? word_begins(language, "assembler") : end && among(end, ends);
}

/* Compiled without -c, too. */
static bool is_header(const char *word, const char *language)
{
    static const char *const ends[] = {".h", ".H", ".hh", ".hp", ".hpp", ".hxx", ".h++", NULL};
    const char *end = strrchr(word, '.');
    return language ? strstr(language, "-header") != NULL : end && among(end, ends);
}

static enum argument_kind kind_of_file(const char *word, struct arguments *a)
{
    if (is_header(word, a->chosen) && a->mode == MODE_LINK) a->mode = MODE_COMPILE;
    if (a->chosen ? is_followed(a->chosen) : is_source(word)) {
        a->n_sources++;
        return ARGUMENT_SOURCE;
    }
    bool assembly = is_assembly(word, a->chosen);
    *(assembly ? &a->n_assembly : &a->n_linked) += 1;
    return assembly ? ARGUMENT_ASSEMBLY : ARGUMENT_LINK;
}

static void note_mode(const char *word, struct arguments *a)
{
    static const char *const others[] = {
        "-E",        "--preprocess", "-M",           "-MM",  "-fsyntax-only", "--analyze",
        "--version", "-dumpversion", "-dumpmachine", "-###", "--help",        "-cc1",
        "-cc1as",    "-emit-llvm",   "--precompile", NULL};
    static const char *const compile[] = {"-c", "--compile", NULL};
    static const char *const assembly[] = {"-S", "--assemble", NULL};
    if (among(word, others) || word_begins(word, "-print-") || word_begins(word, "--print-") ||
        word_begins(word, "-help"))
        a->mode = MODE_OTHER;
    else if (among(word, compile) && a->mode == MODE_LINK)
        a->mode = MODE_COMPILE;
    else if (among(word, assembly) && a->mode != MODE_OTHER)
        a->mode = MODE_ASSEMBLY;
}

/* "x86_64-linux-gnu" on such a machine, in code of its own word length. */
static bool is_own_machine(const char *triple)
{
    struct utsname own;
    size_t length = strcspn(triple, "-");
    return uname(&own) == 0 && strlen(own.machine) == length && strncmp(own.machine, triple, length) == 0 &&
           !strstr(triple, "x32");
}

/* The last word counts. */
static void note_machine(const char *word, const char *name, const char *value, struct arguments *a)
{
    static const char *const shorter[] = {"-m32", "-m16", "-mx32", NULL};
    bool is_target = strcmp(name, "-target") == 0 || strcmp(name, "--target=") == 0;
    if (among(word, shorter) || (is_target && value && !is_own_machine(value)))
        a->machine = is_target ? value : word;
    else if (is_target || strcmp(word, "-m64") == 0)
        a->machine = NULL;
}

/* What an option means for the steps; `value` is NULL where it has none. */
static void note_option(const char *word, const char *name, const char *value, struct arguments *a)
{
    note_mode(word, a);
    note_machine(word, name, value, a);
    if (strcmp(name, "-o") == 0 || word_begins(name, "--output")) a->output = value;
    if (strcmp(name, "-x") == 0 || word_begins(name, "--language"))
        a->chosen = value && strcmp(value, "none") != 0 ? value : NULL;
    if (strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0) a->makes_dependencies = true;
    if (word_begins(word, "-Wp,-MD,") || word_begins(word, "-Wp,-MMD,")) /* the file comes behind it */
        a->makes_dependencies = a->names_dependency_file = true;
    if (strcmp(name, "-MF") == 0) a->names_dependency_file = true;
    if (strcmp(name, "-MT") == 0 || strcmp(name, "-MQ") == 0) a->names_dependency_target = true;
    if (strcmp(word, "-shared") == 0 || strcmp(word, "--shared") == 0 || strcmp(word, "-r") == 0)
        a->is_partial = true;
    if (strcmp(name, "-l") == 0 || strcmp(name, "-Wl,") == 0) a->n_linked++;
}

/* -fNAME and -fno-NAME alike. */
static bool is_of_gcc(const char *word)
{
    static const char *const beginnings[] = {
#define X(beginning) beginning,
#include "compiler/gcc.def"
#undef X
    };
    if (!word_begins(word, "-f")) return false;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (word_begins(word + 2, beginnings[i]) ||
            (word_begins(word, "-fno-") && word_begins(word + 5, beginnings[i])))
            return true;
    return false;
}

static enum argument_kind kind_of_option(const struct option *option, const char *word,
                                         const parcast_compile *compile, const struct arguments *a)
{
    static const char *const modules[] = {"-J", "-module-dir", "-fintrinsic-modules-path", NULL};
    if (a->mode == MODE_ASSEMBLY && (strcmp(word, "-S") == 0 || strcmp(word, "--assemble") == 0))
        return ARGUMENT_DROPPED;
    if (is_of_gcc(word)) return ARGUMENT_FOREIGN;
    if (compile->language == PARCAST_FORTRAN) return fortran_kind(word, option->kind);
    return among(option->name, modules) ? ARGUMENT_FOREIGN : option->kind;
}

/* One option; returns how many words it takes. */
static size_t take_option(const parcast_compile *compile, size_t i, struct arguments *a)
{
    const char *word = compile->arguments[i];
    const struct option *option = option_of(word);
    const char *rest = word + strlen(option->name);
    bool goes_on =
        (option->form == NEXT || (option->form == EITHER && !*rest)) && i + 1 < compile->n_arguments;
    const char *value = goes_on ? compile->arguments[i + 1] : *rest ? rest : NULL;
    note_option(word, option->name, value, a);
    a->kind[i] = (unsigned char)kind_of_option(option, word, compile, a);
    if (goes_on) a->kind[i + 1] = a->kind[i];
    return goes_on ? 2 : 1;
}

parcast_status arguments_read(const parcast_compile *compile, struct arguments *a, parcast_error *error)
{
    *a = (struct arguments){.mode = MODE_LINK};
    a->kind = calloc(compile->n_arguments + 1, 1);
    a->language = calloc(compile->n_arguments + 1, sizeof *a->language);
    if (!a->kind || !a->language) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    bool only_files = false; /* behind "--" */
    for (size_t i = 0; i < compile->n_arguments;) {
        const char *word = compile->arguments[i];
        size_t taken = 1;
        if (!only_files && strcmp(word, "--") == 0) {
            only_files = true;
            a->kind[i] = ARGUMENT_FOREIGN;
        } else if (only_files || word[0] != '-' || !word[1]) { /* "-" is standard input */
            a->kind[i] = (unsigned char)kind_of_file(word, a);
            a->language[i] = a->chosen;
        } else {
            taken = take_option(compile, i, a);
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
