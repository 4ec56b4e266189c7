#include "compiler/fortran.h"

#include <string.h>

static bool is_passed_on(const char *word)
{
    static const char *const beginnings[] = {
#define X(beginning) beginning,
#include "compiler/flang.def"
#undef X
    };
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (word_begins(word, beginnings[i])) return true;
    return false;
}

/* Flang has two kinds of notes for debuggers, one of which is given anyway. */
static enum argument_kind kind_for_both(const char *word)
{
    if (word_begins(word, "-g") && strcmp(word, "-g") != 0) return ARGUMENT_FOREIGN;
    return strcmp(word, "-pthread") == 0 ? ARGUMENT_LINK : ARGUMENT_BOTH;
}

/* Flang has one standard and one option of warnings, and refuses others: what gfortran is to be strict about
 * is nothing that a program computes. Nor does it write what a source depends on beside compiling it. */
static enum argument_kind kind_for_front(const char *word)
{
    bool is_strictness = word_begins(word, "-W") || word_begins(word, "-std=");
    bool is_dependencies = word_begins(word, "-M") && strcmp(word, "-M") != 0 && strcmp(word, "-MM") != 0;
    bool is_foreign = is_strictness || is_dependencies || (word_begins(word, "-f") && !is_passed_on(word));
    return is_foreign ? ARGUMENT_FOREIGN : ARGUMENT_FRONT;
}

static enum argument_kind kind_for_linker(const char *word)
{
    bool is_foreign =
        word_begins(word, "-static-") || word_begins(word, "-shared-") || strcmp(word, "-pie") == 0;
    return is_foreign ? ARGUMENT_FOREIGN : ARGUMENT_LINK;
}

enum argument_kind fortran_kind(const char *word, enum argument_kind kind)
{
    switch (kind) {
    case ARGUMENT_BOTH:
        return kind_for_both(word);
    case ARGUMENT_FRONT:
        return kind_for_front(word);
    case ARGUMENT_LINK:
        return kind_for_linker(word);
    case ARGUMENT_GENERATOR:
        return is_passed_on(word) ? ARGUMENT_GENERATOR : ARGUMENT_MACHINE;
    default:
        return kind;
    }
}

size_t fortran_link(const char *const *arguments, size_t n, struct words *words)
{
    static const char *const valued[] = {"-z", "-T", "-u", "-e", "-soname"};
    const char *word = arguments[0];
    if (strcmp(word, "-s") == 0) {
        words_add(words, "-Wl,-s");
        return 1;
    }
    if (n > 1 && strcmp(word, "-Xlinker") == 0) {
        words_addf(words, "-Wl,%s", arguments[1]);
        return 2;
    }
    for (size_t i = 0; i < sizeof valued / sizeof *valued; i++)
        if (n > 1 && strcmp(word, valued[i]) == 0) {
            words_addf(words, "-Wl,%s,%s", word, arguments[1]);
            return 2;
        }
    return 0;
}
