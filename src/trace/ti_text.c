/*
 * Reader of time-independent traces. Actions are read once and kept coded, a stream per rank; requests get
 * their numbers here, because a wait names (source, destination, tag) and means the oldest request of those.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/ti.h"
#include "trace/goal_code.h"

enum { MOST_RANKS = 16777216, ANY_SOURCE = -555, ANY_TAG = -444, MOST_WORDS = 1 << 20 };

struct request {
    int32_t source, destination, tag;
    uint32_t number;
};

struct ti_rank {
    unsigned char *code;
    size_t n_code, room, at;
    int line_before, line; /* while writing, while reading */
    bool doubles;          /* init had an argument: sizes without a type count doubles */
    bool begun;
    struct request *requests; /* open ones, oldest first */
    uint32_t n_requests, request_room;
    uint32_t *free_numbers, n_free, free_room, n_numbers;
    int64_t *counts; /* lent with the operation that was read last */
    uint32_t n_counts;
};

struct parcast_ti {
    struct ti_rank *ranks;
    int n_ranks;
    char *source;
    char warning[160];
};

/* The line under work, split into words. */
struct line {
    char **words;
    size_t n_words, room;
    int number;
    const char *source;
    parcast_error *error;
    parcast_ti *trace;
    struct ti_rank *rank;
    int rank_number;
};

static parcast_status complain(const struct line *line, parcast_status status, const char *what)
{
    return parcast_error_set(line->error, status, line->source, line->number, "%s: %s",
                             line->n_words > 1 ? line->words[1] : "action", what);
}

static parcast_status no_memory(const struct line *line)
{
    return parcast_error_set(line->error, PARCAST_MEMORY, line->source, line->number,
                             "out of memory for a trace");
}

static bool make_room(void **list, uint32_t *room, uint32_t n, size_t item_bytes)
{
    if (n <= *room) return true;
    uint32_t more = *room ? 2 * *room : 8;
    while (more < n) more *= 2;
    void *grown = realloc(*list, more * item_bytes);
    if (!grown) return false;
    *list = grown;
    *room = more;
    return true;
}

static bool put_bytes(struct ti_rank *rank, const void *bytes, size_t n)
{
    if (rank->n_code + n > rank->room) {
        size_t room = rank->room ? 2 * rank->room : 64;
        while (room < rank->n_code + n) room *= 2;
        unsigned char *code = realloc(rank->code, room);
        if (!code) return false;
        rank->code = code;
        rank->room = room;
    }
    memcpy(rank->code + rank->n_code, bytes, n);
    rank->n_code += n;
    return true;
}

static bool put(struct ti_rank *rank, int64_t value)
{
    unsigned char bytes[GOAL_MOST_NUMBER], *end = goal_put_signed(bytes, value);
    return put_bytes(rank, bytes, (size_t)(end - bytes));
}

/* Amounts of computation are mostly whole. */
static bool put_double(struct ti_rank *rank, double value)
{
    bool whole = value == floor(value) && value < 1e15;
    if (!put(rank, whole)) return false;
    return whole ? put(rank, (int64_t)value) : put_bytes(rank, &value, sizeof value);
}

static int64_t get(struct ti_rank *rank)
{
    const unsigned char *at = rank->code + rank->at;
    int64_t value = goal_get_signed(&at);
    rank->at = (size_t)(at - rank->code);
    return value;
}

static double get_double(struct ti_rank *rank)
{
    double value;
    if (get(rank)) return (double)get(rank);
    memcpy(&value, rank->code + rank->at, sizeof value);
    rank->at += sizeof value;
    return value;
}

/* Words. */

static parcast_status read_double(const struct line *line, size_t i, double low, double *value)
{
    char *end;
    if (i >= line->n_words) return complain(line, PARCAST_FORMAT, "an argument is missing");
    *value = strtod(line->words[i], &end);
    if (end == line->words[i] || *end || !(*value >= low && *value <= 1e18))
        return parcast_error_set(line->error, PARCAST_FORMAT, line->source, line->number,
                                 "%s: '%.40s' is no number of the kind that belongs here", line->words[1],
                                 line->words[i]);
    return PARCAST_OK;
}

/* Counts may be written 1e3. */
static parcast_status read_whole(const struct line *line, size_t i, double low, double high, int64_t *value)
{
    double number = 0;
    parcast_status status = read_double(line, i, low, &number);
    if (status) return status;
    if (number != floor(number) || number > high)
        return parcast_error_set(line->error, PARCAST_FORMAT, line->source, line->number,
                                 "%s: '%.40s' is no whole number of the kind that belongs here",
                                 line->words[1], line->words[i]);
    *value = (int64_t)number;
    return PARCAST_OK;
}

/* Bytes of an element: of the type that word i names, else the rank's default. */
static parcast_status read_type(const struct line *line, size_t i, int64_t *bytes)
{
    static const int sizes[] = {8, 4, 1, 2, 8, 4, 1, 8};
    int64_t type = 0;
    *bytes = line->rank->doubles ? 8 : 1;
    if (i >= line->n_words) return PARCAST_OK;
    parcast_status status = read_whole(line, i, 0, 7, &type);
    if (!status) *bytes = sizes[type];
    return status;
}

static parcast_status read_rank(const struct line *line, size_t i, bool any, int32_t *rank)
{
    int64_t value = 0;
    parcast_status status = read_whole(line, i, any ? ANY_SOURCE : 0, MOST_RANKS - 1, &value);
    if (status) return status;
    if (value < 0 && value != ANY_SOURCE) {
        complain(line, PARCAST_FORMAT, "a negative rank");
        parcast_error_hint(line->error, "any source is written -555");
        return PARCAST_FORMAT;
    }
    *rank = value < 0 ? PARCAST_ANY : (int32_t)value;
    return PARCAST_OK;
}

static parcast_status read_tag(const struct line *line, size_t i, bool any, int32_t *tag)
{
    int64_t value = 0;
    parcast_status status = read_whole(line, i, any ? ANY_TAG : 0, INT32_MAX, &value);
    if (status) return status;
    if (value < 0 && value != ANY_TAG) {
        complain(line, PARCAST_FORMAT, "a negative tag");
        parcast_error_hint(line->error, "any tag is written -444");
        return PARCAST_FORMAT;
    }
    *tag = value < 0 ? PARCAST_ANY : (int32_t)value;
    return PARCAST_OK;
}

static bool begin_operation(const struct line *line, parcast_operation_kind kind)
{
    struct ti_rank *rank = line->rank;
    bool done = put(rank, (int64_t)kind) && put(rank, (int64_t)line->number - rank->line_before);
    rank->line_before = line->number;
    return done;
}

/* Actions. */

static parcast_status read_compute(struct line *line, bool sleeps)
{
    double amount = 0;
    parcast_status status = read_double(line, 2, 0, &amount);
    if (status) return status;
    bool done = begin_operation(line, sleeps ? PARCAST_OPERATION_SLEEP : PARCAST_OPERATION_COMPUTE) &&
                put_double(line->rank, amount);
    return done ? PARCAST_OK : no_memory(line);
}

static uint32_t open_request(struct ti_rank *rank, int32_t source, int32_t destination, int32_t tag)
{
    if (!make_room((void **)&rank->requests, &rank->request_room, rank->n_requests + 1,
                   sizeof *rank->requests))
        return UINT32_MAX;
    uint32_t number = rank->n_free ? rank->free_numbers[--rank->n_free] : rank->n_numbers++;
    rank->requests[rank->n_requests++] = (struct request){source, destination, tag, number};
    return number;
}

static bool close_request(struct ti_rank *rank, uint32_t i)
{
    if (!make_room((void **)&rank->free_numbers, &rank->free_room, rank->n_free + 1,
                   sizeof *rank->free_numbers))
        return false;
    rank->free_numbers[rank->n_free++] = rank->requests[i].number;
    memmove(&rank->requests[i], &rank->requests[i + 1], (rank->n_requests - i - 1) * sizeof *rank->requests);
    rank->n_requests--;
    return true;
}

static parcast_status read_message(struct line *line, parcast_operation_kind kind)
{
    bool receives = kind == PARCAST_OPERATION_RECEIVE || kind == PARCAST_OPERATION_IRECEIVE;
    bool opens = kind == PARCAST_OPERATION_ISEND || kind == PARCAST_OPERATION_IRECEIVE;
    int32_t peer = 0, tag = 0;
    int64_t count = 0, size = 1;
    parcast_status status = read_rank(line, 2, receives, &peer);
    if (!status) status = read_tag(line, 3, receives, &tag);
    if (!status) status = read_whole(line, 4, receives ? -1 : 0, 1e15, &count);
    if (!status) status = read_type(line, 5, &size);
    if (status) return status;
    uint32_t request = 0;
    if (opens)
        request = receives ? open_request(line->rank, peer, line->rank_number, tag)
                           : open_request(line->rank, line->rank_number, peer, tag);
    bool done = request != UINT32_MAX && begin_operation(line, kind) && put(line->rank, peer) &&
                put(line->rank, tag) && put(line->rank, count < 0 ? -1 : count * size) &&
                (!opens || put(line->rank, request));
    return done ? PARCAST_OK : no_memory(line);
}

static parcast_status read_sendreceive(struct line *line)
{
    int64_t sent = 0, received = 0, sent_size = 1, received_size = 1;
    int32_t to = 0, from = 0;
    parcast_status status = read_whole(line, 2, 0, 1e15, &sent);
    if (!status) status = read_rank(line, 3, false, &to);
    if (!status) status = read_whole(line, 4, -1, 1e15, &received);
    if (!status) status = read_rank(line, 5, true, &from);
    if (!status) status = read_type(line, 6, &sent_size);
    if (!status) status = read_type(line, 7, &received_size);
    if (status) return status;
    bool done = begin_operation(line, PARCAST_OPERATION_SENDRECEIVE) && put(line->rank, to) &&
                put(line->rank, sent * sent_size) && put(line->rank, from) &&
                put(line->rank, received < 0 ? -1 : received * received_size);
    return done ? PARCAST_OK : no_memory(line);
}

/* The oldest request of these; a second wait for it is nothing. */
static parcast_status read_wait(struct line *line, parcast_operation_kind kind)
{
    int32_t source = 0, destination = 0, tag = 0;
    struct ti_rank *rank = line->rank;
    parcast_status status = read_rank(line, 2, true, &source);
    if (!status) status = read_rank(line, 3, true, &destination);
    if (!status) status = read_tag(line, 4, true, &tag);
    if (status) return status;
    uint32_t i = 0;
    while (i < rank->n_requests && (rank->requests[i].source != source || rank->requests[i].tag != tag ||
                                    rank->requests[i].destination != destination))
        i++;
    bool found = i < rank->n_requests;
    bool done = begin_operation(line, kind) && put(rank, found ? (int64_t)rank->requests[i].number : -1);
    if (done && found && kind == PARCAST_OPERATION_WAIT) done = close_request(rank, i);
    return done ? PARCAST_OK : no_memory(line);
}

static parcast_status read_waitall(struct line *line)
{
    bool done = begin_operation(line, PARCAST_OPERATION_WAITALL);
    while (done && line->rank->n_requests) done = close_request(line->rank, line->rank->n_requests - 1);
    return done ? PARCAST_OK : no_memory(line);
}

/* Arguments of a collective: sizes, counts, flop, root and types at their places among the words. */
struct collective_words {
    const char *name;
    parcast_collective collective;
    int first_counts;      /* word where counts of all ranks begin, 0: none */
    int second_counts;     /* alltoallv: of what is received, in words after the first counts */
    int bytes, flop, root; /* 0: none; after counts: relative to their end, negative */
    int type;              /* of bytes and counts */
};

static const struct collective_words collectives[] = {
    {"barrier", PARCAST_COLLECTIVE_BARRIER, 0, 0, 0, 0, 0, 0},
    {"bcast", PARCAST_COLLECTIVE_BCAST, 0, 0, 2, 0, 3, 4},
    {"reduce", PARCAST_COLLECTIVE_REDUCE, 0, 0, 2, 3, 4, 5},
    {"allreduce", PARCAST_COLLECTIVE_ALLREDUCE, 0, 0, 2, 3, 0, 4},
    {"alltoall", PARCAST_COLLECTIVE_ALLTOALL, 0, 0, 2, 0, 0, 4},
    {"allgather", PARCAST_COLLECTIVE_ALLGATHER, 0, 0, 2, 0, 0, 4},
    {"gather", PARCAST_COLLECTIVE_GATHER, 0, 0, 2, 0, 4, 5},
    {"scatter", PARCAST_COLLECTIVE_SCATTER, 0, 0, 3, 0, 4, 6},
    {"scan", PARCAST_COLLECTIVE_SCAN, 0, 0, 2, 3, 0, 4},
    {"exscan", PARCAST_COLLECTIVE_EXSCAN, 0, 0, 2, 3, 0, 4},
    {"gatherv", PARCAST_COLLECTIVE_GATHERV, 3, 0, 0, 0, -1, -3},
    {"scatterv", PARCAST_COLLECTIVE_SCATTERV, 2, 0, 0, 0, -2, -3},
    {"allgatherv", PARCAST_COLLECTIVE_ALLGATHERV, 3, 0, 0, 0, 0, -2},
    {"alltoallv", PARCAST_COLLECTIVE_ALLTOALLV, 3, 2, 0, 0, 0, -1},
    {"reducescatter", PARCAST_COLLECTIVE_REDUCE_SCATTER, 2, 0, 0, -1, 0, -2},
};

static size_t word_at(const struct collective_words *c, int place, int n_ranks)
{
    if (place >= 0) return (size_t)place;
    int end = c->first_counts + n_ranks + (c->second_counts ? n_ranks + 1 : 0);
    end -= place + 1;
    return (size_t)end;
}

static parcast_status put_counts(struct line *line, size_t first, int64_t size)
{
    if (!put(line->rank, line->trace->n_ranks)) return no_memory(line);
    for (int i = 0; i < line->trace->n_ranks; i++) {
        int64_t count = 0;
        parcast_status status = read_whole(line, first + (size_t)i, 0, 1e15, &count);
        if (status) return status;
        if (!put(line->rank, count * size)) return no_memory(line);
    }
    return PARCAST_OK;
}

static parcast_status read_collective(struct line *line, const struct collective_words *c)
{
    int n_ranks = line->trace->n_ranks;
    size_t root_at = word_at(c, c->root, n_ranks), flop_at = word_at(c, c->flop, n_ranks);
    int64_t count = 0, size = 1, receive_size = 1;
    int32_t root = 0;
    double flop = 0;
    parcast_status status = PARCAST_OK;
    if (c->bytes) status = read_whole(line, (size_t)c->bytes, 0, 1e15, &count);
    if (!status && c->flop) status = read_double(line, flop_at, 0, &flop);
    if (!status && c->root && root_at < line->n_words) status = read_rank(line, root_at, false, &root);
    if (!status && c->type) status = read_type(line, word_at(c, c->type, n_ranks), &size);
    if (!status && root >= n_ranks)
        status = complain(line, PARCAST_FORMAT, "the root is no rank of the trace");
    if (status) return status;
    bool done = begin_operation(line, PARCAST_OPERATION_COLLECTIVE) && put(line->rank, c->collective) &&
                put(line->rank, count * size) && put(line->rank, root) && put_double(line->rank, flop) &&
                put(line->rank, (c->first_counts != 0) + (c->second_counts != 0));
    if (!done) return no_memory(line);
    if (c->first_counts) status = put_counts(line, (size_t)c->first_counts, size);
    if (!status && c->second_counts) {
        status = read_type(line, word_at(c, c->type, n_ranks) + 1, &receive_size);
        if (!status) status = put_counts(line, (size_t)c->first_counts + (size_t)n_ranks + 1, receive_size);
    }
    return status;
}

static parcast_status read_init(struct line *line)
{
    line->rank->doubles = line->n_words > 2;
    line->rank->begun = true;
    return PARCAST_OK;
}

static parcast_status read_named(struct line *line, const char *name)
{
    static const struct {
        const char *name;
        parcast_operation_kind kind;
    } messages[] = {{"send", PARCAST_OPERATION_SEND},
                    {"isend", PARCAST_OPERATION_ISEND},
                    {"recv", PARCAST_OPERATION_RECEIVE},
                    {"irecv", PARCAST_OPERATION_IRECEIVE}};
    static const char *const nothing[] = {"finalize", "comm_size", "comm_split", "comm_dup", "location"};
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++)
        if (strcmp(name, messages[i].name) == 0) return read_message(line, messages[i].kind);
    for (size_t i = 0; i < sizeof collectives / sizeof collectives[0]; i++)
        if (strcmp(name, collectives[i].name) == 0) return read_collective(line, &collectives[i]);
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
        if (strcmp(name, nothing[i]) == 0) return PARCAST_OK;
    if (strcmp(name, "init") == 0) return read_init(line);
    if (strcmp(name, "compute") == 0) return read_compute(line, false);
    if (strcmp(name, "sleep") == 0) return read_compute(line, true);
    if (strcasecmp(name, "sendrecv") == 0) return read_sendreceive(line);
    if (strcmp(name, "wait") == 0) return read_wait(line, PARCAST_OPERATION_WAIT);
    if (strcmp(name, "test") == 0) return read_wait(line, PARCAST_OPERATION_TEST);
    if (strcmp(name, "waitall") == 0) return read_waitall(line);
    return complain(line, PARCAST_UNSUPPORTED, "this action cannot be replayed");
}

/* Text to lines to words. */

static parcast_status split(struct line *line, char *text, const char *end)
{
    line->n_words = 0;
    for (char *at = text; at < end;) {
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) *at++ = '\0';
        if (at == end || *at == '#') break;
        if (line->n_words == line->room) {
            size_t room = line->room ? 2 * line->room : 16;
            char **words = room <= MOST_WORDS ? realloc(line->words, room * sizeof *words) : NULL;
            if (!words) return no_memory(line);
            line->words = words;
            line->room = room;
        }
        line->words[line->n_words++] = at;
        while (at < end && *at != ' ' && *at != '\t' && *at != '\r' && *at != '#') at++;
        if (at < end && *at == '#') {
            *at = '\0';
            break;
        }
    }
    return PARCAST_OK;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The rank that a line begins with, -1 if it begins with none. Digits alone: what counts the ranks and what
 * reads their actions must agree. */
static int rank_of(const char *at, const char *end)
{
    const char *first = at;
    int value = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        value = 10 * value + (*at - '0');
        if (value >= MOST_RANKS) return -1;
    }
    return at == first || (at < end && !is_space(*at) && *at != '#') ? -1 : value;
}

static parcast_status line_rank(struct line *line, int *number)
{
    const char *word = line->words[0];
    *number = rank_of(word, word + strlen(word));
    if (*number >= 0 && *number < line->trace->n_ranks) return PARCAST_OK;
    return parcast_error_set(line->error, PARCAST_FORMAT, line->source, line->number,
                             "'%.40s' is no rank: a line is rank, action, arguments", word);
}

/* Visit the lines of a text; first only to count the ranks, then to read the actions. */
static parcast_status read_lines(struct line *line, char *text, size_t length, bool count_only, int *n_ranks)
{
    char *at = text, *end = text + length;
    for (line->number = 1; at < end; line->number++) {
        char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        if (count_only) {
            while (at < stop && is_space(*at)) at++;
            int rank = rank_of(at, stop);
            if (rank >= *n_ranks) *n_ranks = rank + 1;
        } else {
            *stop = '\0';
            parcast_status status = split(line, at, stop);
            if (!status && line->n_words > 0) status = line_rank(line, &line->rank_number);
            if (!status && line->n_words == 1)
                status = complain(line, PARCAST_FORMAT, "a rank without an action");
            if (!status && line->n_words > 1) {
                line->rank = &line->trace->ranks[line->rank_number];
                status = read_named(line, line->words[1]);
            }
            if (status) return status;
        }
        at = stop + 1;
    }
    return PARCAST_OK;
}

static parcast_status check_doubles(parcast_ti *trace)
{
    for (int r = 1; r < trace->n_ranks; r++)
        if (trace->ranks[r].begun && trace->ranks[0].begun &&
            trace->ranks[r].doubles != trace->ranks[0].doubles)
            snprintf(trace->warning, sizeof trace->warning,
                     "rank %d counts in %s, rank 0 in %s: each is taken as it says", r,
                     trace->ranks[r].doubles ? "doubles" : "bytes",
                     trace->ranks[0].doubles ? "doubles" : "bytes");
    return PARCAST_OK;
}

static parcast_status create(int n_ranks, const char *source, parcast_ti **trace, parcast_error *error)
{
    if (n_ranks < 1 || n_ranks > MOST_RANKS)
        return parcast_error_set(error, PARCAST_FORMAT, source, 1, "a trace without actions");
    parcast_ti *t = calloc(1, sizeof *t);
    if (t) t->ranks = calloc((size_t)n_ranks, sizeof *t->ranks);
    if (t) t->source = strdup(source);
    *trace = t;
    if (t && t->ranks && t->source) {
        t->n_ranks = n_ranks;
        return PARCAST_OK;
    }
    parcast_ti_destroy(trace);
    return parcast_error_set(error, PARCAST_MEMORY, source, 0, "out of memory for a trace");
}

struct text {
    char *bytes; /* ends with a zero beyond length */
    size_t length;
    const char *source;
};

static parcast_status read_texts(const struct text *texts, size_t n_texts, const char *source,
                                 parcast_ti **trace, parcast_error *error)
{
    struct line line = {.error = error};
    parcast_ti *t = NULL;
    int n_ranks = 0;
    for (size_t i = 0; i < n_texts; i++) read_lines(&line, texts[i].bytes, texts[i].length, true, &n_ranks);
    parcast_status status = create(n_ranks, source, &t, error);
    if (!t) return status;
    line.trace = t;
    for (size_t i = 0; i < n_texts && !status; i++) {
        line.source = texts[i].source;
        status = read_lines(&line, texts[i].bytes, texts[i].length, false, &n_ranks);
    }
    if (!status) status = check_doubles(t);
    free(line.words);
    if (status)
        parcast_ti_destroy(&t);
    else
        *trace = t;
    return status;
}

parcast_status parcast_ti_parse(const char *text, size_t length, const char *source, parcast_ti **trace,
                                parcast_error *error)
{
    struct text copy = {malloc(length + 1), length, source};
    if (!copy.bytes) return parcast_error_set(error, PARCAST_MEMORY, source, 0, "out of memory for a trace");
    if (length) memcpy(copy.bytes, text, length);
    copy.bytes[length] = '\0';
    parcast_status status = read_texts(&copy, 1, source, trace, error);
    free(copy.bytes);
    return status;
}

static parcast_status slurp(const char *path, struct text *text, parcast_error *error)
{
    FILE *file = fopen(path, "re");
    size_t room = 65536;
    if (!file)
        return parcast_error_set(error, PARCAST_IO, path, 0, "cannot open '%s': %s", path, strerror(errno));
    *text = (struct text){.bytes = malloc(room), .source = path};
    while (text->bytes) {
        text->length += fread(text->bytes + text->length, 1, room - text->length - 1, file);
        if (text->length + 1 < room) break;
        char *grown = realloc(text->bytes, room *= 2);
        if (!grown) free(text->bytes);
        text->bytes = grown;
    }
    bool failed = ferror(file);
    fclose(file);
    if (!text->bytes) return parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory for a trace");
    text->bytes[text->length] = '\0';
    if (!failed) return PARCAST_OK;
    free(text->bytes);
    text->bytes = NULL;
    return parcast_error_set(error, PARCAST_IO, path, 0, "cannot read '%s'", path);
}

/* A list of files: its first word names a file instead of a rank. */
static bool is_list(const struct text *text)
{
    const char *at = text->bytes;
    if (!at) return false;
    for (;;) {
        while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') at++;
        if (*at != '#') break;
        while (*at && *at != '\n') at++;
    }
    if (!*at) return false;
    while (*at >= '0' && *at <= '9') at++;
    return *at != ' ' && *at != '\t';
}

static void blank_comments(struct text *text)
{
    bool comment = false;
    for (size_t i = 0; text->bytes && i < text->length; i++) {
        comment = text->bytes[i] != '\n' && (comment || text->bytes[i] == '#');
        if (comment) text->bytes[i] = ' ';
    }
}

/* Path of a listed file: relative to the list, as SimGrid has it relative to the folder it runs in. */
static char *listed_path(const char *list, const char *name)
{
    const char *slash = strrchr(list, '/');
    size_t folder = slash && name[0] != '/' ? (size_t)(slash - list) + 1 : 0;
    char *path = malloc(folder + strlen(name) + 1);
    if (!path) return NULL;
    memcpy(path, list, folder);
    memcpy(path + folder, name, strlen(name) + 1);
    return path;
}

static parcast_status read_list(struct text *list, parcast_ti **trace, parcast_error *error)
{
    struct text *texts = NULL;
    char **paths = NULL, *rest = NULL;
    size_t n = 0;
    parcast_status status = PARCAST_OK;
    blank_comments(list);
    for (char *name = strtok_r(list->bytes, " \t\r\n", &rest); name && !status;
         name = strtok_r(NULL, " \t\r\n", &rest)) {
        struct text *more_texts = realloc(texts, (n + 1) * sizeof *texts);
        if (more_texts) texts = more_texts;
        char **more_paths = realloc(paths, (n + 1) * sizeof *paths);
        if (more_paths) paths = more_paths;
        char *path = more_texts && more_paths ? listed_path(list->source, name) : NULL;
        if (!path) {
            status = parcast_error_set(error, PARCAST_MEMORY, list->source, 0, "out of memory for a list");
            break;
        }
        paths[n] = path;
        texts[n] = (struct text){0};
        status = slurp(path, &texts[n++], error);
    }
    if (!status) status = read_texts(texts, n, list->source, trace, error);
    for (size_t i = 0; i < n; i++) {
        free(texts[i].bytes);
        free(paths[i]);
    }
    free(texts);
    free(paths);
    return status;
}

parcast_status parcast_ti_load(const char *path, parcast_ti **trace, parcast_error *error)
{
    struct text text = {0};
    parcast_status status = slurp(path, &text, error);
    if (status) return status;
    status = is_list(&text) ? read_list(&text, trace, error) : read_texts(&text, 1, path, trace, error);
    free(text.bytes);
    return status;
}

const char *parcast_ti_warning(const parcast_ti *trace)
{
    return trace->warning[0] ? trace->warning : NULL;
}

void parcast_ti_destroy(parcast_ti **trace)
{
    parcast_ti *t = *trace;
    if (!t) return;
    for (int r = 0; t->ranks && r < t->n_ranks; r++) {
        free(t->ranks[r].code);
        free(t->ranks[r].requests);
        free(t->ranks[r].free_numbers);
        free(t->ranks[r].counts);
    }
    free(t->ranks);
    free(t->source);
    free(t);
    *trace = NULL;
}

/* Reading back. */

static bool get_counts(struct ti_rank *rank, parcast_operation *o)
{
    int64_t n_lists = get(rank);
    for (int64_t i = 0; i < n_lists; i++) {
        uint32_t n = (uint32_t)get(rank);
        if (!rank->counts && !(rank->counts = malloc(2 * (size_t)n * sizeof *rank->counts))) return false;
        int64_t *counts = rank->counts + (size_t)i * n;
        for (uint32_t k = 0; k < n; k++) counts[k] = get(rank);
        *(i == 0 ? &o->counts : &o->receive_counts) = counts;
    }
    return true;
}

static bool get_collective(struct ti_rank *rank, parcast_operation *o)
{
    o->collective = (parcast_collective)get(rank);
    o->bytes = get(rank);
    o->root = (int32_t)get(rank);
    o->flop = get_double(rank);
    return get_counts(rank, o);
}

static void get_message(struct ti_rank *rank, parcast_operation *o)
{
    o->peer = (int32_t)get(rank);
    o->tag = (int32_t)get(rank);
    o->bytes = get(rank);
    if (o->kind == PARCAST_OPERATION_ISEND || o->kind == PARCAST_OPERATION_IRECEIVE)
        o->request = (uint32_t)get(rank);
    if (o->kind == PARCAST_OPERATION_RECEIVE && o->bytes < 0) o->bytes = -1;
}

static void get_sendreceive(struct ti_rank *rank, parcast_operation *o)
{
    o->peer = (int32_t)get(rank);
    o->bytes = get(rank);
    o->source = (int32_t)get(rank);
    o->source_bytes = get(rank);
}

static parcast_status next(void *state, int number, parcast_operation *o, parcast_error *error)
{
    parcast_ti *trace = state;
    struct ti_rank *rank = &trace->ranks[number];
    *o = (parcast_operation){.kind = PARCAST_OPERATION_END};
    if (rank->at == rank->n_code) return PARCAST_OK;
    o->kind = (parcast_operation_kind)get(rank);
    o->line = rank->line += (int)get(rank);
    bool done = true;
    if (o->kind == PARCAST_OPERATION_COMPUTE)
        o->flop = get_double(rank);
    else if (o->kind == PARCAST_OPERATION_SLEEP)
        o->seconds = get_double(rank);
    else if (o->kind == PARCAST_OPERATION_SENDRECEIVE)
        get_sendreceive(rank, o);
    else if (o->kind == PARCAST_OPERATION_COLLECTIVE)
        done = get_collective(rank, o);
    else if (o->kind == PARCAST_OPERATION_WAIT || o->kind == PARCAST_OPERATION_TEST)
        o->request = (uint32_t)get(rank);
    else if (o->kind != PARCAST_OPERATION_WAITALL)
        get_message(rank, o);
    return done
               ? PARCAST_OK
               : parcast_error_set(error, PARCAST_MEMORY, trace->source, o->line, "out of memory for counts");
}

parcast_operation_source parcast_ti_source(parcast_ti *trace)
{
    for (int r = 0; r < trace->n_ranks; r++) trace->ranks[r].at = trace->ranks[r].line = 0;
    return (parcast_operation_source){trace, trace->n_ranks, trace->source, next};
}
