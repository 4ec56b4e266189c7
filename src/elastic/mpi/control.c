/* Rank 0 and the supervisor. Words: docs/formats/elastic-control.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elastic/mpi/behind.h"

enum { COMMIT_MS = 60000 };

parcast_status elastic_control_open(parcast_elastic *e, parcast_error *error)
{
    parcast_status status = elastic_wire_connect(&e->wire, e->address, error);
    if (status) return status;
    if (!elastic_wire_say(&e->wire, "hello 3 %s %d %d %lld %d", e->token, e->launch, e->n_ranks,
                          (long long)e->options.iterations, e->options.in_memory))
        return parcast_error_set(error, PARCAST_IO, NULL, 0, "the supervisor at '%s' does not listen",
                                 e->address);
    return PARCAST_OK;
}

static void obey(parcast_elastic *e, const char *line)
{
    long long at, to;
    if (sscanf(line, "stop %lld", &at) == 1) e->incoming.stop_at = at;
    if (sscanf(line, "save %lld", &at) == 1) e->incoming.save_at = at;
    if (sscanf(line, "resize %lld %lld", &at, &to) == 2) {
        e->incoming.resize_at = at;
        e->incoming.resize_to = to;
    }
    if (strncmp(line, "commit ", 7) == 0) elastic_behind_hear(e, strcmp(line, "commit yes") == 0);
}

void elastic_control_poll(parcast_elastic *e)
{
    char line[ELASTIC_LINE_BYTES];
    elastic_wire_state state;
    while ((state = elastic_wire_line(&e->wire, 0, line)) == ELASTIC_WIRE_LINE) obey(e, line);
    if (state == ELASTIC_WIRE_CLOSED) e->incoming.alone = 1;
}

/* A text that was announced. */
static bool take_text(parcast_elastic *e, int64_t bytes, char **text)
{
    *text = NULL;
    if (bytes < 0 || bytes > ELASTIC_TEXT_BYTES) return false;
    if (bytes == 0) return true;
    *text = malloc((size_t)bytes + 1);
    if (!*text) return false;
    (*text)[bytes] = '\0';
    return elastic_wire_bytes(&e->wire, *text, (size_t)bytes);
}

bool elastic_control_begin(parcast_elastic *e, elastic_begin *begin, char **manifest, char **servers)
{
    char line[ELASTIC_LINE_BYTES];
    long long epoch, stop, manifest_bytes, servers_bytes;
    int ranks, save_first = 0;
    *manifest = *servers = NULL;
    do
        if (elastic_wire_line(&e->wire, -1, line) != ELASTIC_WIRE_LINE) return false;
    while (sscanf(line, "begin %lld %lld %d %lld %lld %d", &epoch, &stop, &ranks, &manifest_bytes,
                  &servers_bytes, &save_first) < 5);
    *begin = (elastic_begin){epoch, stop, ranks, manifest_bytes, servers_bytes, save_first};
    return take_text(e, manifest_bytes, manifest) && take_text(e, servers_bytes, servers);
}

bool elastic_control_next(parcast_elastic *e)
{
    char line[ELASTIC_LINE_BYTES];
    while (elastic_wire_line(&e->wire, COMMIT_MS, line) == ELASTIC_WIRE_LINE) {
        long long at;
        int ranks;
        if (sscanf(line, "next %lld %d", &at, &ranks) == 2) {
            e->incoming.resize_at = ranks > 0 ? at : -1;
            e->incoming.resize_to = ranks;
            e->incoming.stop_at = ranks > 0 ? -1 : at;
            return true;
        }
        obey(e, line);
    }
    return false;
}

elastic_word elastic_control_hold(parcast_elastic *e, int64_t iteration, int64_t epoch, const char *manifest)
{
    char line[ELASTIC_LINE_BYTES];
    size_t bytes = strlen(manifest);
    if (!elastic_wire_say(&e->wire, "holding %lld %lld %zu", (long long)iteration, (long long)epoch, bytes) ||
        !elastic_wire_send(&e->wire, manifest, bytes))
        return ELASTIC_WORD_GO_ON;
    while (elastic_wire_line(&e->wire, -1, line) == ELASTIC_WIRE_LINE) {
        if (strcmp(line, "write") == 0) return ELASTIC_WORD_WRITE;
        if (strcmp(line, "fetched") == 0) return ELASTIC_WORD_FETCHED;
        if (strcmp(line, "go on") == 0) return ELASTIC_WORD_GO_ON;
        obey(e, line);
    }
    return ELASTIC_WORD_GO_ON; /* the supervisor is gone: the next look finds it */
}

bool elastic_control_hand_over(parcast_elastic *e, int64_t iteration, int64_t epoch, const char *how,
                               const char *manifest)
{
    size_t bytes = strlen(manifest);
    return elastic_wire_say(&e->wire, "saved %lld %lld %zu %s", (long long)iteration, (long long)epoch, bytes,
                            how) &&
           elastic_wire_send(&e->wire, manifest, bytes);
}

bool elastic_control_committed(parcast_elastic *e)
{
    char line[ELASTIC_LINE_BYTES];
    while (elastic_wire_line(&e->wire, COMMIT_MS, line) == ELASTIC_WIRE_LINE) {
        if (strcmp(line, "commit yes") == 0) return true;
        if (strcmp(line, "commit no") == 0) return false;
        obey(e, line); /* orders may come in between */
    }
    return false;
}
