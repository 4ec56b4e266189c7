#include "compiler/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take(struct words *words, char *word)
{
    if (words->n + 1 >= words->capacity) {
        size_t wanted = words->capacity ? 2 * words->capacity : 32;
        char **more = realloc(words->word, wanted * sizeof *more);
        if (!more) {
            free(word);
            words->failed = true;
            return;
        }
        words->word = more;
        words->capacity = wanted;
    }
    if (!word) words->failed = true;
    words->word[words->n] = word;
    if (word) words->n++;
    words->word[words->n] = NULL;
}

void words_add(struct words *words, const char *word)
{
    take(words, strdup(word));
}

void words_addf(struct words *words, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) text = NULL;
    va_end(arguments);
    take(words, text);
}

void words_clear(struct words *words)
{
    for (size_t i = 0; i < words->n; i++) free(words->word[i]);
    free(words->word);
    *words = (struct words){0};
}

bool word_begins(const char *word, const char *start)
{
    return strncmp(word, start, strlen(start)) == 0;
}
