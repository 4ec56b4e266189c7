#include "replay/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay/schedules.h"

enum { MOST_WORDS = 6, WORD_BYTES = 64, MOST_FILE_BYTES = 1 << 20 };

struct line {
    char words[MOST_WORDS][WORD_BYTES];
    unsigned n;
    bool too_long;
};

struct parse {
    struct rules *rules;
    const char *source;
    int line;
    parcast_error *error;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Words up to the end of the line or a '#'. */
static const char *split(const char *at, const char *end, struct line *line)
{
    *line = (struct line){.n = 0};
    bool comment = false;
    for (; at < end && *at != '\n'; at++) {
        comment |= *at == '#';
        if (comment || is_space(*at)) continue;
        const char *begin = at;
        while (at + 1 < end && !is_space(at[1]) && at[1] != '\n' && at[1] != '#') at++;
        size_t length = (size_t)(at - begin) + 1;
        line->too_long |= line->n == MOST_WORDS || length >= WORD_BYTES;
        if (line->too_long) continue;
        memcpy(line->words[line->n], begin, length);
        line->words[line->n++][length] = '\0';
    }
    return at < end ? at + 1 : end;
}

static parcast_status wrong(const struct parse *p, const char *what, const char *word)
{
    return parcast_error_set(p->error, PARCAST_FORMAT, p->source, p->line, "%s '%s'", what, word);
}

static bool read_limit(const char *word, double *limit)
{
    char *end;
    *limit = strcmp(word, "*") == 0 ? INFINITY : strtod(word, &end);
    return *limit == INFINITY ? word[0] == '*' : *end == '\0' && end != word && *limit >= 0;
}

static bool read_collective(const char *word, parcast_collective *collective)
{
    for (unsigned c = 0; c < PARCAST_COLLECTIVES; c++)
        if (strcmp(parcast_collective_name((parcast_collective)c), word) == 0) {
            *collective = (parcast_collective)c;
            return true;
        }
    return false;
}

void rules_algorithms(parcast_collective collective, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned a = 0; a < COLLECTIVE_ALGORITHMS && used < size; a++)
        if (schedule_has(collective, (enum collective_algorithm)a, 2))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     collective_algorithm_name((enum collective_algorithm)a));
}

static parcast_status read_rule(const struct parse *p, const struct line *line, struct rule *rule)
{
    double segment = 0;
    bool segmented = line->n == 6 && strcmp(line->words[4], "segment") == 0;
    if (line->n != 4 && !segmented)
        return wrong(p, "a rule is COLLECTIVE RANKS BYTES ALGORITHM [segment BYTES], not", line->words[0]);
    if (!read_collective(line->words[0], &rule->collective))
        return wrong(p, "there is no collective", line->words[0]);
    if (!read_limit(line->words[1], &rule->most_ranks))
        return wrong(p, "the largest count of ranks is a number or *, not", line->words[1]);
    if (!read_limit(line->words[2], &rule->most_bytes))
        return wrong(p, "the largest size is a number of bytes or *, not", line->words[2]);
    rule->algorithm = collective_algorithm_named(line->words[3]);
    if (!schedule_has(rule->collective, rule->algorithm, 2)) {
        char known[512];
        rules_algorithms(rule->collective, known, sizeof known);
        wrong(p, "the collective has no algorithm", line->words[3]);
        parcast_error_hint(p->error, "%s has %s", line->words[0], known);
        return PARCAST_FORMAT;
    }
    if (segmented && (!read_limit(line->words[5], &segment) || !(segment >= 1 && segment < 1e15)))
        return wrong(p, "a segment is a number of bytes, not", line->words[5]);
    rule->segment_bytes = (int64_t)segment;
    return PARCAST_OK;
}

static parcast_status read_line(const struct parse *p, const struct line *line)
{
    static const char *const tables[] = {"mpich", "openmpi", "naive"};
    struct rules *rules = p->rules;
    if (line->too_long) return wrong(p, "too many words, or too long ones, after", line->words[0]);
    if (line->n == 2 && strcmp(line->words[0], "table") == 0) {
        for (unsigned i = 0; i < sizeof tables / sizeof tables[0]; i++)
            if (strcmp(tables[i], line->words[1]) == 0) {
                snprintf(rules->table, sizeof rules->table, "%s", tables[i]);
                return PARCAST_OK;
            }
        return wrong(p, "a table is mpich, openmpi or naive, not", line->words[1]);
    }
    struct rule *grown = realloc(rules->rules, (rules->n + 1) * sizeof *grown);
    if (!grown) return parcast_error_set(p->error, PARCAST_MEMORY, NULL, 0, "out of memory for rules");
    rules->rules = grown;
    parcast_status status = read_rule(p, line, &grown[rules->n]);
    if (!status) rules->n++;
    return status;
}

parcast_status rules_parse(const char *text, size_t length, const char *source, struct rules *rules,
                           parcast_error *error)
{
    struct parse p = {.rules = rules, .source = source, .error = error};
    parcast_status status = PARCAST_OK;
    *rules = (struct rules){0};
    for (const char *at = text, *end = text + length; at < end && !status;) {
        struct line line;
        at = split(at, end, &line);
        p.line++;
        if (line.n > 0) status = read_line(&p, &line);
    }
    if (status) rules_destroy(rules);
    return status;
}

parcast_status rules_load(const char *path, struct rules *rules, parcast_error *error)
{
    FILE *file = fopen(path, "re");
    if (!file) return parcast_error_set(error, PARCAST_IO, path, 0, "cannot open '%s'", path);
    char *text = malloc(MOST_FILE_BYTES + 1);
    parcast_status status = PARCAST_OK;
    if (!text) {
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for '%s'", path);
        goto close_file;
    }
    size_t length = fread(text, 1, MOST_FILE_BYTES + 1, file);
    if (ferror(file))
        status = parcast_error_set(error, PARCAST_IO, path, 0, "cannot read '%s'", path);
    else if (length > MOST_FILE_BYTES)
        status =
            parcast_error_set(error, PARCAST_LIMIT, path, 0, "more than %d bytes of rules", MOST_FILE_BYTES);
    else
        status = rules_parse(text, length, path, rules, error);
    free(text);
close_file:
    fclose(file);
    return status;
}

void rules_destroy(struct rules *rules)
{
    free(rules->rules);
    *rules = (struct rules){0};
}

const struct rule *rules_find(const struct rules *rules, parcast_collective collective, double n_ranks,
                              double bytes)
{
    for (size_t i = 0; i < rules->n; i++) {
        const struct rule *rule = &rules->rules[i];
        if (rule->collective == collective && n_ranks <= rule->most_ranks && bytes <= rule->most_bytes)
            return rule;
    }
    return NULL;
}
