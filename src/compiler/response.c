#include "compiler/response.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_NESTED = 20, /* files that name files; one that names itself ends here */
    LONGEST_LINE =
        64 * 1024 /* bytes of words; Linux takes 128 KiB at the least, and the environment counts */
};

static char *read_open(FILE *file)
{
    char *text = NULL;
    size_t length = 0, capacity = 0;
    while (!feof(file)) {
        capacity = 2 * capacity + 4096;
        char *more = realloc(text, capacity);
        if (more) text = more;
        if (more) length += fread(text + length, 1, capacity - length - 1, file);
        if (!more || ferror(file)) {
            free(text);
            return NULL;
        }
    }
    text[length] = '\0';
    return text;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? read_open(file) : NULL;
    if (file) fclose(file);
    return text;
}

/* GNU's rules, which clang's are: blanks separate, quotes of both kinds hold together, a backslash takes the
 * next character as it is. The word is written over the text. */
static char *next_word(char **rest)
{
    char *from = *rest + strspn(*rest, " \t\r\n\v\f"), *word = from, *to = from;
    char quote = '\0';
    if (!*from) return NULL;
    for (; *from && (quote || !strchr(" \t\r\n\v\f", *from)); from++) {
        if (*from == '\\' && from[1])
            *to++ = *++from;
        else if (quote ? *from == quote : *from == '"' || *from == '\'')
            quote = quote ? '\0' : *from;
        else
            *to++ = *from;
    }
    *rest = *from ? from + 1 : from;
    *to = '\0';
    return word;
}

static void take(const char *word, int depth, struct words *words)
{
    char *text = word[0] == '@' && depth < MOST_NESTED ? read_text(word + 1) : NULL;
    if (!text) {
        words_add(words, word);
        return;
    }
    char *rest = text;
    for (const char *next; (next = next_word(&rest));) take(next, depth + 1, words);
    free(text);
}

parcast_status response_expand(const parcast_compile *compile, struct words *words, parcast_error *error)
{
    for (size_t i = 0; i < compile->n_arguments; i++) take(compile->arguments[i], 0, words);
    return words->failed ? parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory") : PARCAST_OK;
}

static void put_word(const char *word, FILE *file)
{
    fputc('"', file);
    for (; *word; word++) {
        if (*word == '"' || *word == '\\') fputc('\\', file);
        fputc(*word, file);
    }
    fputs("\"\n", file);
}

static bool put_words(const struct words *words, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) return false;
    for (size_t i = 1; i < words->n; i++) put_word(words->word[i], file);
    bool failed = ferror(file) != 0;
    return !fclose(file) && !failed;
}

parcast_status response_shorten(struct words *words, const char *folder, parcast_error *error)
{
    size_t length = 0;
    for (size_t i = 0; i < words->n; i++) length += strlen(words->word[i]) + 1;
    if (length <= LONGEST_LINE || words->failed) return PARCAST_OK;
    struct words shorter = {0};
    words_add(&shorter, words->word[0]);
    words_addf(&shorter, "@%s/arguments", folder);
    if (!shorter.failed && !put_words(words, shorter.word[1] + 1)) {
        parcast_error_set(error, PARCAST_IO, shorter.word[1] + 1, 0, "cannot write: %s", strerror(errno));
        words_clear(&shorter);
        return PARCAST_IO;
    }
    words_clear(words);
    *words = shorter;
    return PARCAST_OK;
}
