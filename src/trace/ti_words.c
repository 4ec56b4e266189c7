#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "trace/ti.h"

bool ti_split(struct ti_line *line, char *text)
{
    char *rest = NULL;
    text[strcspn(text, "#")] = '\0';
    line->n = 0;
    for (char *word = strtok_r(text, " \t\r\n", &rest); word; word = strtok_r(NULL, " \t\r\n", &rest)) {
        if (line->n == line->capacity) {
            size_t capacity = 2 * line->capacity + 16;
            char **words = realloc(line->words, capacity * sizeof *words);
            if (!words) return false;
            line->words = words;
            line->capacity = capacity;
        }
        line->words[line->n++] = word;
    }
    return true;
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
