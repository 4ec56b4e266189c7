/* The last step: objects to a program or a library. */
#include <stdlib.h>
#include <string.h>

#include "compiler/fortran.h"
#include "compiler/response.h"
#include "compiler/run.h"

/* What -x calls something; whatever comes after it is what its name says. */
static void add_linked(struct words *words, const char *word, const char *language)
{
    if (language) {
        words_add(words, "-x");
        words_add(words, language);
    }
    words_add(words, word);
    if (language) {
        words_add(words, "-x");
        words_add(words, "none");
    }
}

/* What flang made of a program's Fortran has flang's run time, whatever a build says of gfortran's, which
 * other objects may have. */
static void add_fortran_libraries(struct words *words)
{
    char *folder = tools_fortran_libraries();
    if (folder) {
        words_addf(words, "-L%s", folder);
        words_add(words, "-lFortranRuntime");
        words_add(words, "-lFortranDecimal");
    }
    free(folder);
}

static bool is_linked(const struct arguments *a, size_t argument)
{
    unsigned char kind = a->kind[argument];
    return kind == ARGUMENT_BOTH || kind == ARGUMENT_LINK || kind == ARGUMENT_GENERATOR;
}

/* Objects take the place of their sources, since the order of libraries matters. */
parcast_status run_link(const struct run *run, int *status, parcast_error *error)
{
    struct words words = {0};
    const struct arguments *a = &run->arguments;
    size_t n = 0;
    words_add(&words, run->tools.compiler);
    for (size_t i = 0; i < run->compile->n_arguments; i++) {
        size_t told = 0;
        if (run_is_compiled(run, i))
            words_add(&words, run->objects.word[n++]);
        else if (is_linked(a, i) && run_is_fortran(run))
            told = fortran_link(run->compile->arguments + i, run->compile->n_arguments - i, &words);
        if (told)
            i += told - 1;
        else if (is_linked(a, i))
            add_linked(&words, run->compile->arguments[i], a->language[i]);
        if (!run_is_fortran(run) && strcmp(run->compile->arguments[i], "-lgfortran") == 0)
            add_fortran_libraries(&words);
    }
    if (a->output) {
        words_add(&words, "-o");
        words_add(&words, a->output);
    }
    if (a->is_partial) { /* what it is linked with has the run time */
        words_add(&words, "-Wl,-z,undefs");
    } else {
        words_add(&words, "-rdynamic");
        words_add(&words, run->tools.runtime);
        words_add(&words, "-lm");
        words_add(&words, "-ldl");
    }
    parcast_status result = response_shorten(&words, run->tools.scratch, error);
    if (!result) result = tools_run(&words, status, error);
    words_clear(&words);
    return result;
}
