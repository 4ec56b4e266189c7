#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "trace/ti.h"

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool add_word(struct ti_line *line, char *word)
{
    if (line->n == line->capacity) {
        size_t capacity = 2 * line->capacity + 16;
        char **words = realloc(line->words, capacity * sizeof *words);
        if (!words) return false;
        line->words = words;
        line->capacity = capacity;
    }
    line->words[line->n++] = word;
    return true;
}

bool ti_split(struct ti_line *line, char *text)
{
    line->n = 0;
    for (char *at = text;;) {
        while (is_space(*at)) at++;
        if (*at == '\0' || *at == '#') return true;
        if (!add_word(line, at)) return false;
        while (*at && *at != '#' && !is_space(*at)) at++;
        char end = *at;
        *at++ = '\0';
        if (end == '\0' || end == '#') return true;
    }
}

int64_t ti_first_rank(const char *text)
{
    int64_t rank = 0;
    while (is_space(*text)) text++;
    const char *first = text;
    for (; *text >= '0' && *text <= '9' && rank <= INT32_MAX; text++) rank = 10 * rank + (*text - '0');
    return text > first && is_space(*text) && rank <= INT32_MAX ? rank : -1;
}

enum ti_action ti_action_of(const char *word)
{
    static const char *const words[] = {
#define TI_WORD(name, its_word) its_word,
        TI_ACTIONS(TI_WORD)
#undef TI_WORD
    };
    for (int i = 0; i < TI_NONE; i++)
        if ((*word | 32) == *words[i] && strcasecmp(word, words[i]) == 0) return (enum ti_action)i;
    return TI_NONE;
}

int64_t ti_rank_of(const char *word)
{
    char *end;
    if (strncmp(word, "rank-", 5) == 0) word += 5;
    if (*word == 'p') word++;
    if (!isdigit((unsigned char)*word)) return -1;
    long long rank = strtoll(word, &end, 10);
    return *end == '\0' && rank <= INT32_MAX ? rank : -1;
}

bool ti_is_action_line(const struct ti_line *line)
{
    return line->n >= 2 && ti_rank_of(line->words[0]) >= 0 && ti_action_of(line->words[1]) != TI_NONE;
}
