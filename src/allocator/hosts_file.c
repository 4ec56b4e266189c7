#include "allocator/hosts_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocator/internal.h"

enum { MAX_HOSTS = 100000, MAX_FILE = 16 << 20, MAX_SLOTS = 1000000 };

void host_list_clear(struct host_list *list)
{
    for (size_t i = 0; i < list->n; i++) free(list->hosts[i].name);
    free(list->hosts);
    *list = (struct host_list){NULL, 0};
}

int host_list_find(const struct host_list *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->hosts[i].name, name) == 0) return (int)i;
    return -1;
}

/* ---- a line ---- */

struct place {
    const char *source;
    int line;
    const parcast_platform *platform;
};

/* Names go to shells and launchers: nothing but what host names and addresses are made of, and no option. */
static bool is_name(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@");
    return length > 0 && length <= 255 && text[length] == '\0' && text[0] != '-';
}

static parcast_status read_slots(const struct place *at, const char *text, struct host *host,
                                 parcast_error *error)
{
    char *end;
    errno = 0;
    long slots = strtol(text, &end, 10);
    if (end == text || *end || errno || slots < 1 || slots > MAX_SLOTS)
        return parcast_error_set(error, PARCAST_FORMAT, at->source, at->line, "'%.40s' is no number of slots",
                                 text);
    host->slots = (int)slots;
    return PARCAST_OK;
}

static parcast_status read_type(const struct place *at, const char *text, struct host *host,
                                parcast_error *error)
{
    for (size_t t = 0; at->platform && t < at->platform->n_types; t++)
        if (strcmp(at->platform->types[t].name, text) == 0) {
            host->type = (int)t;
            return PARCAST_OK;
        }
    if (!at->platform) return PARCAST_OK; /* nobody asks */
    return parcast_error_set(error, PARCAST_DATA, at->source, at->line,
                             "platform '%.60s' has no node type '%.60s'", at->platform->name, text);
}

static parcast_status read_word(const struct place *at, const char *word, struct host *host,
                                parcast_error *error)
{
    if (strncmp(word, "slots=", 6) == 0) return read_slots(at, word + 6, host, error);
    if (strncmp(word, "type=", 5) == 0) return read_type(at, word + 5, host, error);
    parcast_error_set(error, PARCAST_FORMAT, at->source, at->line, "'%.60s' is not understood", word);
    parcast_error_hint(error, "a line is NAME, NAME:SLOTS or NAME slots=SLOTS type=TYPE");
    return PARCAST_FORMAT;
}

static parcast_status read_name(const struct place *at, char *word, struct host *host, parcast_error *error)
{
    char *colon = strchr(word, ':');
    if (colon) *colon = '\0';
    if (!is_name(word))
        return parcast_error_set(error, PARCAST_FORMAT, at->source, at->line, "'%.60s' is no name of a host",
                                 word);
    if (colon && read_slots(at, colon + 1, host, error)) return PARCAST_FORMAT;
    host->name = strdup(word);
    if (!host->name) return allocator_no_memory(error);
    host->type = allocator_type_of_host(at->platform, word);
    return PARCAST_OK;
}

/* Takes the host over, or frees its name. */
static parcast_status add_host(const struct place *at, struct host_list *list, struct host *host,
                               parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    struct host *hosts = realloc(list->hosts, (list->n + 1) * sizeof *hosts);
    if (!hosts) {
        free(host->name);
        return allocator_no_memory(error);
    }
    list->hosts = hosts;
    if (host_list_find(list, host->name) >= 0)
        status = parcast_error_set(error, PARCAST_DATA, at->source, at->line,
                                   "host '%.60s' stands in it twice", host->name);
    else if (list->n == MAX_HOSTS)
        status =
            parcast_error_set(error, PARCAST_LIMIT, at->source, at->line, "more than %d hosts", MAX_HOSTS);
    if (status)
        free(host->name);
    else
        hosts[list->n++] = *host;
    return status;
}

static parcast_status read_line(const struct place *at, char *line, struct host_list *list,
                                parcast_error *error)
{
    static const char blanks[] = " \t\r\v\f";
    char *rest, *word;
    struct host host = {.name = NULL, .type = -1};
    line[strcspn(line, "#")] = '\0';
    word = strtok_r(line, blanks, &rest);
    if (!word) return PARCAST_OK;
    parcast_status status = read_name(at, word, &host, error);
    while (!status && (word = strtok_r(NULL, blanks, &rest))) status = read_word(at, word, &host, error);
    if (!status) return add_host(at, list, &host, error);
    free(host.name);
    return status;
}

/* ---- a file ---- */

static parcast_status parse(char *text, const char *source, const parcast_platform *platform,
                            struct host_list *list, parcast_error *error)
{
    struct place at = {source, 0, platform};
    parcast_status status = PARCAST_OK;
    for (char *line = text; line && !status;) {
        char *end = strchr(line, '\n');
        if (end) *end++ = '\0';
        at.line++;
        status = read_line(&at, line, list, error);
        line = end;
    }
    return status;
}

parcast_status host_list_parse(const char *text, size_t size, const char *source,
                               const parcast_platform *platform, struct host_list *list, parcast_error *error)
{
    struct host_list read = {NULL, 0};
    if (size > MAX_FILE) return parcast_error_set(error, PARCAST_LIMIT, source, 0, "it has more than 16 MB");
    if (memchr(text, '\0', size)) return parcast_error_set(error, PARCAST_FORMAT, source, 0, "it is no text");
    char *copy = malloc(size + 1);
    if (!copy) return allocator_no_memory(error);
    memcpy(copy, text, size);
    copy[size] = '\0';
    parcast_status status = parse(copy, source, platform, &read, error);
    free(copy);
    if (status)
        host_list_clear(&read);
    else
        *list = read;
    return status;
}

parcast_status host_list_read(const char *path, const parcast_platform *platform, struct host_list *list,
                              parcast_error *error)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return parcast_error_set(error, errno == ENOENT ? PARCAST_NOT_FOUND : PARCAST_IO, path, 0,
                                 "cannot open the list of hosts: %s", strerror(errno));
    size_t size = 0, room = 4096;
    char *text = malloc(room);
    while (text && !feof(file) && !ferror(file) && size <= MAX_FILE) {
        if (size == room) {
            char *more = realloc(text, room *= 2);
            if (!more) free(text);
            text = more;
            continue;
        }
        size += fread(text + size, 1, room - size, file);
    }
    parcast_status status = PARCAST_OK;
    if (!text)
        status = allocator_no_memory(error);
    else if (ferror(file))
        status = parcast_error_set(error, PARCAST_IO, path, 0, "cannot read the list of hosts: %s",
                                   strerror(errno));
    fclose(file);
    if (!status && text) status = host_list_parse(text, size, path, platform, list, error);
    free(text);
    return status;
}
