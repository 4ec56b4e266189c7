#include "replay_drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_text.h"
#include "parcast/units.h"

static bool has_suffix(const char *text, const char *suffix)
{
    size_t n = strlen(text), m = strlen(suffix);
    return n > m && strcmp(text + n - m, suffix) == 0;
}

static parcast_status read_time(const char *text, double *seconds, parcast_error *error)
{
    return text ? parcast_units_time(text, seconds, error) : PARCAST_OK;
}

parcast_status drawing_read(struct drawing *d, const struct drawing_options *o, parcast_error *error)
{
    bool parts = o->ranks || o->from || o->until || o->least || o->no_messages;
    if (!o->file && parts)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "--ranks, --from, --until, --least and --no-messages belong to --timeline");
    if (!o->file) return PARCAST_OK;
    if (!has_suffix(o->file, ".json") && !has_suffix(o->file, ".paje"))
        return parcast_error_set(
            error, PARCAST_INVALID, NULL, 0,
            "--timeline is a file that ends in .json (Perfetto, Chrome) or .paje, not '%s'", o->file);
    d->how.no_messages = o->no_messages;
    parcast_status status = read_time(o->from, &d->how.from_s, error);
    if (!status) status = read_time(o->until, &d->how.to_s, error);
    if (!status) status = read_time(o->least, &d->how.least_s, error);
    return status;
}

static parcast_status read_ranks(struct drawing *d, const char *list, int n_ranks, parcast_error *error)
{
    if (!list) return PARCAST_OK;
    d->shown = calloc((size_t)n_ranks, sizeof *d->shown);
    if (!d->shown) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    d->how.ranks = d->shown;
    if (cli_mark_ranks(list, d->shown, (uint64_t)n_ranks)) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                             "--ranks is like 0,3 or 0-7 among the ranks 0 to %d, not '%s'", n_ranks - 1,
                             list);
}

/* "small 0", "small 1", "big 0": [parcast_platform_nodes()], in one block; NULL: out of memory. */
static char **node_names(const parcast_platform *platform)
{
    enum { ROOM = 64 };
    size_t n = (size_t)parcast_platform_nodes(platform), at = 0;
    char **names = malloc(n * (sizeof *names + ROOM));
    char *texts = (char *)(names + n);
    for (size_t t = 0; names && t < platform->n_types; t++)
        for (int i = 0; i < platform->types[t].count; i++, at++) {
            names[at] = texts + at * ROOM;
            snprintf(names[at], ROOM, "%.48s %d", platform->types[t].name, i);
        }
    return names;
}

parcast_status drawing_begin(struct drawing *d, const struct drawing_options *o, int n_ranks,
                             const int *rank_node, const parcast_platform *platform, parcast_error *error)
{
    if (!o->file) return PARCAST_OK;
    parcast_status status = read_ranks(d, o->ranks, n_ranks, error);
    if (status) return status;
    char **names = rank_node ? node_names(platform) : NULL;
    if (rank_node && !names) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    const parcast_timeline_layout layout = {.n_ranks = n_ranks,
                                            .rank_node = rank_node,
                                            .nodes = (const char *const *)names,
                                            .n_nodes = names ? (size_t)parcast_platform_nodes(platform) : 0};
    parcast_timeline_format format =
        has_suffix(o->file, ".paje") ? PARCAST_TIMELINE_PAJE : PARCAST_TIMELINE_CHROME;
    status = parcast_timeline_open(o->file, format, &layout, &d->how, &d->timeline, error);
    free(names);
    return status;
}

parcast_status drawing_end(struct drawing *d, parcast_status status, parcast_error *error)
{
    if (!d->timeline) return status;
    if (!status) status = parcast_timeline_finish(&d->timeline, &d->info, error);
    parcast_timeline_discard(&d->timeline);
    return status;
}

void drawing_tell(const struct drawing *d, const struct cli_common *common)
{
    enum { MANY = 1000000 };
    unsigned long long n_left_out = d->info.n_left_out, n_states = d->info.n_states;
    if (n_left_out)
        cli_note(common, "%llu of %llu states were left out of the timeline, as asked for", n_left_out,
                 n_left_out + n_states);
    if (n_states > MANY)
        cli_warn(common,
                 "%llu states: viewers are slow with more than a million; --from, --until, --ranks and "
                 "--least leave some out",
                 n_states);
}

void drawing_release(struct drawing *d)
{
    parcast_timeline_discard(&d->timeline);
    free(d->shown);
    d->shown = NULL;
}
