/* A list of words that ends in NULL: the arguments of a step. */
#ifndef PARCAST_COMPILER_WORDS_H
#define PARCAST_COMPILER_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct words {
    char **word;
    size_t n, capacity;
    bool failed; /* out of memory at some point */
};

void words_add(struct words *words, const char *word);
void words_addf(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
void words_clear(struct words *words);
/** Does one begin so? */
bool word_begins(const char *word, const char *start);

#endif
