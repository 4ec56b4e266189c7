/*
 * Reader of GOAL text: docs/formats/goal.md. One pass; a statement lies in the buffer whole, so that its
 * words are pointers into it.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/goal.h"
#include "trace/goal_labels.h"

enum { BUFFER_BYTES = 256 << 10, STATEMENT_BYTES = 4096 };

struct word {
    const char *text;
    size_t length; /* 0 at the end of the input */
    int line;
};

struct text_reader {
    const char *at, *end;
    char *buffer; /* NULL: the input is in memory */
    int file;
    bool at_end; /* of the file */
    bool failed; /* the file cannot be read */
    bool in_comment;
    int line;
    int rank;
    const char *source;
    parcast_goal *goal;
    struct goal_labels labels;
    parcast_error *error;
};

static parcast_status complain(const struct text_reader *r, int line, const char *what,
                               const struct word *word)
{
    if (word && word->length)
        return parcast_error_set(r->error, PARCAST_FORMAT, r->source, line, "%s, not '%.*s'", what,
                                 (int)(word->length < 60 ? word->length : 60), word->text);
    return parcast_error_set(r->error, PARCAST_FORMAT, r->source, line, "%s%s", what,
                             word ? ", not the end of the file" : "");
}

/* An error of the builder gets its place. */
static parcast_status at_line(const struct text_reader *r, int line, parcast_status status)
{
    if (status && r->error) {
        strncpy(r->error->source, r->source, sizeof r->error->source - 1);
        r->error->source[sizeof r->error->source - 1] = '\0';
        r->error->line = line;
    }
    return status;
}

/* Read on until the buffer is full or the file ends. */
static void refill(struct text_reader *r)
{
    size_t left = (size_t)(r->end - r->at);
    if (!r->buffer || r->at_end) return;
    memmove(r->buffer, r->at, left);
    while (left < BUFFER_BYTES) {
        ssize_t n = read(r->file, r->buffer + left, BUFFER_BYTES - left);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) r->failed = true;
        if (n <= 0) {
            r->at_end = true;
            break;
        }
        left += (size_t)n;
    }
    r->at = r->buffer;
    r->end = r->buffer + left;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

/* Skip space and comments; a comment that the buffer cuts goes on after the next refill. */
static void skip_space(struct text_reader *r)
{
    while (r->at < r->end) {
        if (r->in_comment) {
            const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
            r->at = end ? end : r->end;
            r->in_comment = !end;
        } else if (is_space(*r->at)) {
            r->line += *r->at++ == '\n';
        } else if (*r->at == '/' && r->at + 1 < r->end && r->at[1] == '/') {
            r->in_comment = true;
        } else {
            return;
        }
    }
}

/* Go to the next statement and have it in the buffer. */
static void next_statement(struct text_reader *r)
{
    for (;;) {
        skip_space(r);
        if (r->end - r->at >= STATEMENT_BYTES || !r->buffer || r->at_end) return;
        refill(r);
    }
}

static struct word next_word(struct text_reader *r)
{
    skip_space(r);
    const char *begin = r->at;
    while (r->at < r->end && is_word(*r->at)) r->at++;
    if (r->at == begin && r->at < r->end) r->at++; /* a single other character */
    return (struct word){begin, (size_t)(r->at - begin), r->line};
}

static bool word_is(const struct word *word, const char *text, size_t length)
{
    return word->length == length && memcmp(word->text, text, length) == 0;
}
#define IS(word, literal) word_is(&(word), literal, sizeof(literal) - 1)

/* Digits of a word from the first on; *n_digits 0 where there are none or too many. */
static int64_t read_digits(const char *text, size_t length, size_t *n_digits)
{
    int64_t value = 0;
    size_t n = 0;
    for (; n < length && text[n] >= '0' && text[n] <= '9'; n++) {
        if (n == 18) {
            *n_digits = 0;
            return 0;
        }
        value = 10 * value + (text[n] - '0');
    }
    *n_digits = n;
    return value;
}

static parcast_status read_int(struct text_reader *r, const char *what, bool any, int32_t *value)
{
    struct word word = next_word(r);
    size_t n_digits;
    if (any && IS(word, "-1")) {
        *value = PARCAST_GOAL_ANY;
        return PARCAST_OK;
    }
    int64_t number = read_digits(word.text, word.length, &n_digits);
    if (n_digits == 0 || n_digits != word.length || number > INT32_MAX)
        return complain(r, word.line, what, &word);
    *value = (int32_t)number;
    return PARCAST_OK;
}

static parcast_status read_size(struct text_reader *r, int64_t *bytes)
{
    struct word word = next_word(r);
    size_t n_digits;
    *bytes = read_digits(word.text, word.length, &n_digits);
    if (n_digits == 0 || n_digits + 1 != word.length || word.text[n_digits] != 'b')
        return complain(r, word.line, "expected a size like 64b", &word);
    return PARCAST_OK;
}

static parcast_status expect(struct text_reader *r, const char *text, const char *what)
{
    struct word word = next_word(r);
    if (!word_is(&word, text, strlen(text))) return complain(r, word.line, what, &word);
    return PARCAST_OK;
}

/* Does a number follow here? A label or keyword of the next statement does not begin with a digit. */
static bool number_follows(struct text_reader *r)
{
    skip_space(r);
    return r->at < r->end && ((*r->at >= '0' && *r->at <= '9') || *r->at == '-');
}

/* [tag T] [cpu C] [nic I] */
static parcast_status read_options(struct text_reader *r, parcast_goal_operation *o)
{
    bool message = o->kind != PARCAST_GOAL_COMPUTE, receive = o->kind == PARCAST_GOAL_RECEIVE;
    for (;;) {
        const char *before = r->at;
        int line = r->line;
        struct word word = next_word(r);
        parcast_status status;
        if (IS(word, "tag") && message && number_follows(r))
            status = read_int(r, "expected a tag", receive, &o->tag);
        else if (IS(word, "cpu") && number_follows(r))
            status = read_int(r, "expected the number of a cpu", false, &o->cpu);
        else if (IS(word, "nic") && message && number_follows(r))
            status = read_int(r, "expected the number of a nic", false, &o->nic);
        else {
            r->at = before;
            r->line = line;
            r->in_comment = false;
            return PARCAST_OK;
        }
        if (status) return status;
    }
}

static parcast_status read_message(struct text_reader *r, parcast_goal_operation *o)
{
    bool receive = o->kind == PARCAST_GOAL_RECEIVE;
    parcast_status status = read_size(r, &o->amount);
    if (!status)
        status = expect(r, receive ? "from" : "to",
                        receive ? "expected 'from' after the size" : "expected 'to' after the size");
    if (!status) status = read_int(r, "expected a rank", receive, &o->peer);
    return status;
}

static parcast_status read_compute(struct text_reader *r, parcast_goal_operation *o)
{
    struct word word = next_word(r);
    size_t n_digits;
    o->amount = read_digits(word.text, word.length, &n_digits);
    if (n_digits == 0 || n_digits != word.length)
        return complain(r, word.line, "expected whole nanoseconds after 'calc'", &word);
    return PARCAST_OK;
}

static bool kind_of(const struct word *word, parcast_goal_kind *kind)
{
    if (IS(*word, "send"))
        *kind = PARCAST_GOAL_SEND;
    else if (IS(*word, "recv"))
        *kind = PARCAST_GOAL_RECEIVE;
    else if (IS(*word, "calc"))
        *kind = PARCAST_GOAL_COMPUTE;
    else
        return false;
    return true;
}

static parcast_status read_operation(struct text_reader *r, parcast_goal_kind kind, int line,
                                     uint64_t *number)
{
    parcast_goal_operation operation = {.kind = kind, .line = line};
    parcast_status status =
        kind == PARCAST_GOAL_COMPUTE ? read_compute(r, &operation) : read_message(r, &operation);
    if (!status) status = read_options(r, &operation);
    if (status) return status;
    return at_line(r, line, parcast_goal_add(r->goal, &operation, number, r->error));
}

static parcast_status read_labelled(struct text_reader *r, const struct word *label)
{
    struct word word = next_word(r);
    parcast_goal_kind kind;
    uint64_t number;
    if (!kind_of(&word, &kind))
        return complain(r, word.line, "expected 'send', 'recv' or 'calc' after a label", &word);
    parcast_status status = read_operation(r, kind, word.line, &number);
    if (status) return status;
    switch (goal_labels_add(&r->labels, label->text, label->length, number)) {
    case GOAL_LABEL_ADDED:
        break;
    case GOAL_LABEL_TWICE:
        return parcast_error_set(r->error, PARCAST_FORMAT, r->source, label->line,
                                 "label '%.*s' stands twice in rank %d", (int)label->length, label->text,
                                 r->rank);
    case GOAL_LABEL_NO_MEMORY:
        return parcast_error_set(r->error, PARCAST_MEMORY, r->source, label->line,
                                 "out of memory for labels");
    }
    return PARCAST_OK;
}

static parcast_status find_label(const struct text_reader *r, const struct word *label, uint64_t *number)
{
    if (goal_labels_find(&r->labels, label->text, label->length, number)) return PARCAST_OK;
    parcast_error_set(r->error, PARCAST_FORMAT, r->source, label->line,
                      "label '%.*s' is not defined above in rank %d",
                      (int)(label->length < 60 ? label->length : 60), label->text, r->rank);
    return PARCAST_FORMAT;
}

static parcast_status read_dependence(struct text_reader *r, const struct word *later)
{
    struct word word = next_word(r);
    bool started = IS(word, "irequires");
    if (!started && !IS(word, "requires"))
        return complain(r, word.line, "expected ':', 'requires' or 'irequires' after a label", &word);
    struct word earlier = next_word(r);
    uint64_t later_number, earlier_number;
    parcast_status status = find_label(r, later, &later_number);
    if (!status) status = find_label(r, &earlier, &earlier_number);
    if (status) return status;
    return at_line(r, later->line,
                   parcast_goal_require(r->goal, later_number, earlier_number, started, r->error));
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static parcast_status read_statement(struct text_reader *r, const struct word *word)
{
    parcast_goal_kind kind;
    skip_space(r);
    bool labelled = r->at < r->end && *r->at == ':';
    if (!labelled && kind_of(word, &kind)) return read_operation(r, kind, word->line, NULL);
    if (!is_letter(word->text[0]) || word->length > GOAL_LABEL_MOST)
        return complain(r, word->line, "expected an operation, a label or '}'", word);
    if (!labelled) return read_dependence(r, word);
    r->at++;
    return read_labelled(r, word);
}

/* A word or a statement that is not in the buffer whole: nothing sensible is as long. */
static parcast_status check_statement(const struct text_reader *r, int line)
{
    if (r->failed)
        return parcast_error_set(r->error, PARCAST_IO, r->source, 0, "cannot read '%s'", r->source);
    if (r->at == r->end && r->buffer && !r->at_end)
        return parcast_error_set(r->error, PARCAST_FORMAT, r->source, line,
                                 "a statement has more than %d characters", STATEMENT_BYTES);
    return PARCAST_OK;
}

static parcast_status read_rank(struct text_reader *r)
{
    int line = r->line;
    parcast_status status = read_int(r, "expected the number of a rank", false, &r->rank);
    if (!status) status = at_line(r, line, parcast_goal_begin(r->goal, r->rank, r->error));
    if (!status) status = expect(r, "{", "expected '{' after the number of a rank");
    goal_labels_clear(&r->labels);
    while (!status) {
        next_statement(r);
        struct word word = next_word(r);
        if (IS(word, "}")) return PARCAST_OK;
        if (word.length == 0)
            return parcast_error_set(r->error, PARCAST_FORMAT, r->source, r->line,
                                     "rank %d has no '}': the file is cut off", r->rank);
        status = read_statement(r, &word);
        if (!status) status = check_statement(r, word.line);
    }
    return status;
}

static parcast_status read_program(struct text_reader *r)
{
    int32_t n_ranks = 0;
    next_statement(r);
    parcast_status status = expect(r, "num_ranks", "a GOAL program begins with 'num_ranks'");
    int line = r->line;
    if (!status) status = read_int(r, "expected the number of ranks", false, &n_ranks);
    if (!status) status = at_line(r, line, parcast_goal_create(n_ranks, &r->goal, r->error));
    while (!status) {
        next_statement(r);
        struct word word = next_word(r);
        if (word.length == 0) break;
        if (!IS(word, "rank")) return complain(r, word.line, "expected 'rank'", &word);
        status = read_rank(r);
    }
    if (!status) status = check_statement(r, r->line);
    if (!status) status = parcast_goal_finish(r->goal, r->error);
    return status;
}

static parcast_status read_text(struct text_reader *r, parcast_goal **goal)
{
    parcast_status status = read_program(r);
    if (!status && !(r->goal->source = strdup(r->source)))
        status = parcast_error_set(r->error, PARCAST_MEMORY, NULL, 0, "out of memory for a program");
    goal_labels_destroy(&r->labels);
    if (status)
        parcast_goal_destroy(&r->goal);
    else
        *goal = r->goal;
    return status;
}

parcast_status parcast_goal_parse(const char *text, size_t length, const char *source, parcast_goal **goal,
                                  parcast_error *error)
{
    struct text_reader reader = {.at = text,
                                 .end = text + length,
                                 .at_end = true,
                                 .file = -1,
                                 .line = 1,
                                 .source = source,
                                 .error = error};
    return read_text(&reader, goal);
}

parcast_status parcast_goal_load(const char *path, parcast_goal **goal, parcast_error *error)
{
    bool standard = strcmp(path, "-") == 0;
    int file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return parcast_error_set(error, PARCAST_IO, path, 0, "cannot open '%s': %s", path, strerror(errno));
    struct text_reader reader = {
        .file = file, .line = 1, .source = standard ? "standard input" : path, .error = error};
    parcast_status status;
    reader.buffer = malloc(BUFFER_BYTES);
    reader.at = reader.end = reader.buffer;
    if (reader.buffer)
        status = read_text(&reader, goal);
    else
        status = parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory for a buffer");
    free(reader.buffer);
    if (!standard) close(file);
    return status;
}
