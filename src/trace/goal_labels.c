#include "trace/goal_labels.h"

#include <stdlib.h>
#include <string.h>

#define NO_ENTRY UINT32_MAX

void goal_labels_destroy(struct goal_labels *labels)
{
    free(labels->table);
    free(labels->texts);
    *labels = (struct goal_labels){0};
}

void goal_labels_clear(struct goal_labels *labels)
{
    labels->n_runs = 0;
    labels->n_texts = 0;
    if (labels->n_labels == 0) return;
    labels->n_labels = 0;
    for (uint32_t i = 0; i <= labels->mask; i++) labels->table[i].text = NO_ENTRY;
}

/* Split "l12" into a prefix and a number without leading zeros; false where there is no such number. */
static bool split(const char *text, size_t length, size_t *prefix_length, uint64_t *value)
{
    size_t digits = length;
    while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9') digits--;
    if (digits == length || length - digits > 18 || digits > GOAL_LABEL_PREFIX) return false;
    if (text[digits] == '0' && length - digits > 1) return false;
    uint64_t v = 0;
    for (size_t i = digits; i < length; i++) v = 10 * v + (uint64_t)(text[i] - '0');
    *prefix_length = digits;
    *value = v;
    return true;
}

static bool has_prefix(const struct goal_label_run *run, const char *text, size_t prefix_length)
{
    return run->prefix_length == prefix_length && memcmp(run->prefix, text, prefix_length) == 0;
}

static bool find_in_runs(const struct goal_labels *labels, const char *text, size_t prefix_length,
                         uint64_t value, uint64_t *number)
{
    for (unsigned i = 0; i < labels->n_runs; i++) {
        const struct goal_label_run *run = &labels->runs[i];
        uint64_t candidate = value - run->offset;
        if (candidate < run->first || candidate >= run->end || !has_prefix(run, text, prefix_length))
            continue;
        *number = candidate;
        return true;
    }
    return false;
}

static bool add_to_run(struct goal_labels *labels, const char *text, size_t prefix_length, uint64_t value,
                       uint64_t number)
{
    for (unsigned i = 0; i < labels->n_runs; i++) {
        struct goal_label_run *run = &labels->runs[i];
        if (run->end != number || value - number != run->offset || !has_prefix(run, text, prefix_length))
            continue;
        run->end++;
        return true;
    }
    if (labels->n_runs == GOAL_LABEL_RUNS) return false;
    struct goal_label_run *run = &labels->runs[labels->n_runs++];
    memcpy(run->prefix, text, prefix_length);
    run->prefix_length = prefix_length;
    run->first = number;
    run->end = number + 1;
    run->offset = value - number;
    return true;
}

static uint32_t hash(const char *text, size_t length)
{
    uint64_t h = length;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(h >> 32);
}

static uint32_t place_of(const struct goal_labels *labels, const char *text, size_t length)
{
    uint32_t at = hash(text, length) & labels->mask;
    for (;; at = (at + 1) & labels->mask) {
        const struct goal_label *label = &labels->table[at];
        if (label->text == NO_ENTRY) return at;
        if (label->length == length && memcmp(labels->texts + label->text, text, length) == 0) return at;
    }
}

static bool find_in_table(const struct goal_labels *labels, const char *text, size_t length, uint64_t *number)
{
    if (labels->n_labels == 0) return false;
    const struct goal_label *label = &labels->table[place_of(labels, text, length)];
    if (label->text == NO_ENTRY) return false;
    *number = label->number;
    return true;
}

bool goal_labels_find(const struct goal_labels *labels, const char *text, size_t length, uint64_t *number)
{
    size_t prefix_length;
    uint64_t value;
    if (split(text, length, &prefix_length, &value) &&
        find_in_runs(labels, text, prefix_length, value, number))
        return true;
    return find_in_table(labels, text, length, number);
}

static bool grow_table(struct goal_labels *labels)
{
    uint32_t n_places = labels->table ? 2 * (labels->mask + 1) : 64;
    struct goal_label *table = n_places ? malloc(n_places * sizeof *table) : NULL, *before = labels->table;
    if (!table) return false;
    uint32_t n_before = before ? labels->mask + 1 : 0;
    for (uint32_t i = 0; i < n_places; i++) table[i].text = NO_ENTRY;
    labels->table = table;
    labels->mask = n_places - 1;
    for (uint32_t i = 0; i < n_before; i++)
        if (before[i].text != NO_ENTRY)
            table[place_of(labels, labels->texts + before[i].text, before[i].length)] = before[i];
    free(before);
    return true;
}

static bool keep_text(struct goal_labels *labels, const char *text, size_t length)
{
    if (labels->n_texts + length > labels->text_room) {
        size_t room = labels->text_room ? 2 * labels->text_room : 1024;
        char *texts = room < NO_ENTRY ? realloc(labels->texts, room) : NULL;
        if (!texts) return false;
        labels->texts = texts;
        labels->text_room = room;
    }
    memcpy(labels->texts + labels->n_texts, text, length);
    labels->n_texts += length;
    return true;
}

static enum goal_label_outcome add_to_table(struct goal_labels *labels, const char *text, size_t length,
                                            uint64_t number)
{
    bool full = !labels->table || labels->n_labels + labels->n_labels / 2 > labels->mask;
    if (full && !grow_table(labels)) return GOAL_LABEL_NO_MEMORY;
    uint32_t at = place_of(labels, text, length);
    uint32_t begin = (uint32_t)labels->n_texts;
    if (!keep_text(labels, text, length)) return GOAL_LABEL_NO_MEMORY;
    labels->table[at] = (struct goal_label){begin, (uint32_t)length, number};
    labels->n_labels++;
    return GOAL_LABEL_ADDED;
}

enum goal_label_outcome goal_labels_add(struct goal_labels *labels, const char *text, size_t length,
                                        uint64_t number)
{
    size_t prefix_length;
    uint64_t value, other;
    if (goal_labels_find(labels, text, length, &other)) return GOAL_LABEL_TWICE;
    if (split(text, length, &prefix_length, &value) && add_to_run(labels, text, prefix_length, value, number))
        return GOAL_LABEL_ADDED;
    return add_to_table(labels, text, length, number);
}
