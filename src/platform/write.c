/*
 * A platform as YAML, by the tables of keys.c: what differs from the default is written.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

#include "parcast/units.h"
#include "platform/keys.h"

/* The emitter fails once and stays failed, so that callers look at the end only. */
struct writer {
    yaml_emitter_t emitter;
    FILE *out;
    bool failed;
};

static int write_bytes(void *data, unsigned char *buffer, size_t size)
{
    struct writer *w = data;
    return fwrite(buffer, 1, size, w->out) == size;
}

static void emit(struct writer *w, yaml_event_t *event, int initialized)
{
    if (!initialized || w->failed || !yaml_emitter_emit(&w->emitter, event)) {
        if (initialized && w->failed) yaml_event_delete(event);
        w->failed = true;
    }
}

static void put_text(struct writer *w, const char *text)
{
    yaml_event_t event;
    emit(w, &event,
         yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text, (int)strlen(text), 1, 1,
                                      YAML_ANY_SCALAR_STYLE));
}

static void begin_mapping(struct writer *w, yaml_mapping_style_t style)
{
    yaml_event_t event;
    emit(w, &event, yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, style));
}

static void end_mapping(struct writer *w)
{
    yaml_event_t event;
    emit(w, &event, yaml_mapping_end_event_initialize(&event));
}

static void begin_list(struct writer *w, yaml_sequence_style_t style)
{
    yaml_event_t event;
    emit(w, &event, yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, style));
}

static void end_list(struct writer *w)
{
    yaml_event_t event;
    emit(w, &event, yaml_sequence_end_event_initialize(&event));
}

struct scale {
    const char *unit;
    double factor;
};

static const struct scale time_scales[] = {{" s", 1}, {" ms", 1e-3}, {" us", 1e-6}, {" ns", 1e-9}, {NULL, 0}};
static const struct scale size_scales[] = {{" GB", 1e9}, {" MB", 1e6}, {" kB", 1e3}, {" B", 1}, {NULL, 0}};
static const struct scale bandwidth_scales[] = {
    {" GB/s", 1e9}, {" MB/s", 1e6}, {" kB/s", 1e3}, {" B/s", 1}, {NULL, 0}};
static const struct scale flop_scales[] = {
    {" Gflop/s", 1e9}, {" Mflop/s", 1e6}, {" kflop/s", 1e3}, {" flop/s", 1}, {NULL, 0}};
static const struct scale plain_scales[] = {{"", 1}, {NULL, 0}};

static const struct scale *scales_of(enum key_kind kind)
{
    if (kind == KEY_TIME) return time_scales;
    if (kind == KEY_SIZE) return size_scales;
    if (kind == KEY_BANDWIDTH) return bandwidth_scales;
    return kind == KEY_FLOP_RATE ? flop_scales : plain_scales;
}

static bool reads_back(enum key_kind kind, const char *text, double value)
{
    double back = -1;
    if (kind == KEY_TIME) return !parcast_units_time(text, &back, NULL) && back == value;
    if (kind == KEY_SIZE) return !parcast_units_size(text, &back, NULL) && back == value;
    if (kind == KEY_BANDWIDTH) return !parcast_units_bandwidth(text, &back, NULL) && back == value;
    if (kind == KEY_FLOP_RATE) return !parcast_units_flop_rate(text, &back, NULL) && back == value;
    return strtod(text, NULL) == value;
}

/* With these digits, in the unit that leaves 1 to 3 digits before the point or in another one. */
static bool short_text(enum key_kind kind, double value, int digits, char *text, size_t size)
{
    const struct scale *scales = scales_of(kind), *natural = scales;
    while (natural[1].unit && value < natural->factor) natural++;
    if (value == 0) natural = scales = plain_scales;
    for (const struct scale *scale = natural; scale->unit;) {
        snprintf(text, size, "%.*g%s", digits, value / scale->factor, scale->unit);
        bool needless_exponent = strchr(text, 'e') && (scale != natural || fabs(value / scale->factor) < 1e6);
        if (!needless_exponent && reads_back(kind, text, value)) return true;
        scale = scale == natural ? scales : scale + 1;
        if (scale == natural) scale++;
    }
    return false;
}

/* The shortest text that is read back to the very same number. */
static void put_quantity(struct writer *w, enum key_kind kind, double value)
{
    char text[64];
    for (int digits = 1; digits <= 15; digits++) {
        if (!short_text(kind, value, digits, text, sizeof text)) continue;
        put_text(w, text);
        return;
    }
    snprintf(text, sizeof text, "%.17g", value);
    put_text(w, text);
}

static void put_int(struct writer *w, int value)
{
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    put_text(w, text);
}

static void put_counts(struct writer *w, const int *counts, int n)
{
    begin_list(w, YAML_FLOW_SEQUENCE_STYLE);
    for (int i = 0; i < n; i++) put_int(w, counts[i]);
    end_list(w);
}

static void put_numbers(struct writer *w, const double *numbers, size_t n)
{
    begin_list(w, YAML_FLOW_SEQUENCE_STYLE);
    for (size_t i = 0; i < n; i++) put_quantity(w, KEY_NUMBER, numbers[i]);
    end_list(w);
}

static void put_texts(struct writer *w, char *const *texts, size_t n)
{
    begin_list(w, YAML_FLOW_SEQUENCE_STYLE);
    for (size_t i = 0; i < n; i++) put_text(w, texts[i]);
    end_list(w);
}

static void put_curve(struct writer *w, const parcast_breakpoint *points, size_t n)
{
    begin_list(w, YAML_FLOW_SEQUENCE_STYLE);
    for (size_t i = 0; i < n; i++) {
        begin_list(w, YAML_FLOW_SEQUENCE_STYLE);
        put_quantity(w, KEY_NUMBER, points[i].bytes);
        put_quantity(w, KEY_NUMBER, points[i].value);
        end_list(w);
    }
    end_list(w);
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Is the field what a reader would have without the key? */
static bool is_default(const struct key *key, const void *fields, const void *defaults)
{
    const char *field = (const char *)fields + key->offset, *other = (const char *)defaults + key->offset;
    const char *extra = (const char *)fields + key->offset_n,
               *other_extra = (const char *)defaults + key->offset_n;
    switch (key->kind) {
    case KEY_SECTION:
        return true;
    case KEY_TEXT:
    case KEY_WORD:
        return *(char *const *)field == NULL;
    case KEY_CHOICE:
    case KEY_COUNT:
        return *(const int *)field == *(const int *)other;
    case KEY_CABLES:
        return *(const int *)field == *(const int *)other && *(const int *)extra == *(const int *)other_extra;
    case KEY_COUNTS:
        return *(const int *)extra == 0;
    case KEY_NUMBERS:
    case KEY_TEXTS:
    case KEY_CURVE:
        return *(const size_t *)extra == 0;
    case KEY_WEIGHTS:
    case KEY_NUMBER:
    case KEY_TIME:
    case KEY_SIZE:
    case KEY_BANDWIDTH:
    case KEY_FLOP_RATE:
        return same_number(*(const double *)field, *(const double *)other);
    }
    return true;
}

static void put_field(struct writer *w, const struct key *key, const void *fields)
{
    const void *field = (const char *)fields + key->offset, *extra = (const char *)fields + key->offset_n;
    switch (key->kind) {
    case KEY_SECTION:
        break;
    case KEY_TEXT:
    case KEY_WORD:
        put_text(w, *(char *const *)field);
        break;
    case KEY_CHOICE:
        put_text(w, key->choices[*(const int *)field]);
        break;
    case KEY_WEIGHTS:
        put_text(w, key->choices[*(const double *)field != 0]);
        break;
    case KEY_COUNT:
        put_int(w, *(const int *)field);
        break;
    case KEY_COUNTS:
        put_counts(w, field, *(const int *)extra);
        break;
    case KEY_CABLES:
        if (*(const int *)extra == 1)
            put_int(w, *(const int *)field);
        else
            put_counts(w, (const int[]){*(const int *)field, *(const int *)extra}, 2);
        break;
    case KEY_NUMBERS:
        put_numbers(w, *(double *const *)field, *(const size_t *)extra);
        break;
    case KEY_TEXTS:
        put_texts(w, *(char *const *const *)field, *(const size_t *)extra);
        break;
    case KEY_CURVE:
        put_curve(w, *(parcast_breakpoint *const *)field, *(const size_t *)extra);
        break;
    case KEY_NUMBER:
    case KEY_TIME:
    case KEY_SIZE:
    case KEY_BANDWIDTH:
    case KEY_FLOP_RATE:
        put_quantity(w, key->kind, *(const double *)field);
        break;
    }
}

static void put_fields(struct writer *w, const struct key_table *table, const void *fields,
                       const void *defaults)
{
    for (size_t i = 0; i < table->n_keys; i++) {
        const struct key *key = &table->keys[i];
        if (key->kind == KEY_SECTION || (!key->required && is_default(key, fields, defaults))) continue;
        put_text(w, key->name);
        put_field(w, key, fields);
    }
}

static void put_nodes(struct writer *w, const parcast_platform *platform)
{
    put_text(w, "nodes");
    begin_list(w, YAML_BLOCK_SEQUENCE_STYLE);
    for (size_t i = 0; i < platform->n_types; i++) {
        parcast_node_type type = platform->types[i], defaults;
        node_type_defaults(&defaults);
        if (type.speed_given)
            defaults.speed = NAN; /* written also where it is 1 */
        else
            type.speed = defaults.speed;
        begin_mapping(w, YAML_FLOW_MAPPING_STYLE);
        put_fields(w, &node_keys, &type, &defaults);
        end_mapping(w);
    }
    end_list(w);
}

static void put_network(struct writer *w, const parcast_platform *platform)
{
    parcast_platform defaults;
    platform_defaults(&defaults);
    parcast_network_description network = platform->network;
    if (isnan(network.bandwidth_bytes_per_s)) return;            /* one node needs none */
    if (!isnan(network.link_latency_s)) network.latency_s = NAN; /* follows from the other */
    put_text(w, "network");
    begin_mapping(w, YAML_BLOCK_MAPPING_STYLE);
    put_text(w, "topology");
    put_field(w, &network_keys.keys[0], &network);
    network.topology = PARCAST_STAR;
    put_fields(w, &network_keys, &network, &defaults.network);
    if (network.loggops.given) {
        put_text(w, "loggops");
        begin_mapping(w, YAML_FLOW_MAPPING_STYLE);
        put_fields(w, &loggops_keys, &network, &defaults.network);
        end_mapping(w);
    }
    end_mapping(w);
}

static void put_shared_memory(struct writer *w, const parcast_platform *platform)
{
    parcast_shared_memory nothing = {.latency_s = NAN, .bandwidth_bytes_per_s = NAN};
    put_text(w, "shared_memory");
    begin_mapping(w, YAML_FLOW_MAPPING_STYLE);
    put_fields(w, &shared_memory_keys, &platform->shared_memory, &nothing);
    end_mapping(w);
}

static void put_platform(struct writer *w, const parcast_platform *platform)
{
    parcast_platform defaults;
    platform_defaults(&defaults);
    begin_mapping(w, YAML_BLOCK_MAPPING_STYLE);
    put_text(w, "schema");
    put_text(w, PLATFORM_SCHEMA);
    put_fields(w, &platform_keys, platform, &defaults);
    put_nodes(w, platform);
    put_network(w, platform);
    put_shared_memory(w, platform);
    end_mapping(w);
}

static void put_document(struct writer *w, const parcast_platform *platform)
{
    yaml_event_t event;
    emit(w, &event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    emit(w, &event, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
    put_platform(w, platform);
    emit(w, &event, yaml_document_end_event_initialize(&event, 1));
    emit(w, &event, yaml_stream_end_event_initialize(&event));
}

static parcast_status emit_all(const parcast_platform *platform, FILE *out, parcast_error *error)
{
    struct writer w = {.out = out};
    if (!yaml_emitter_initialize(&w.emitter))
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    yaml_emitter_set_output(&w.emitter, write_bytes, &w);
    yaml_emitter_set_width(&w.emitter, -1);
    yaml_emitter_set_unicode(&w.emitter, 1);
    put_document(&w, platform);
    yaml_emitter_delete(&w.emitter);
    if (w.failed)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "the platform cannot be written: a text is not UTF-8");
    return PARCAST_OK;
}

/* What was written must be a platform again: values set by hand are checked by the reader. */
static parcast_status check_text(const char *text, size_t length, parcast_error *error)
{
    parcast_platform *back = NULL;
    parcast_status status = parcast_platform_parse(text, length, "platform", &back, error);
    if (!status) parcast_platform_destroy(&back);
    return status == PARCAST_OK || status == PARCAST_MEMORY ? status : PARCAST_INVALID;
}

parcast_status parcast_platform_format(const parcast_platform *platform, char **text, size_t *length,
                                       parcast_error *error)
{
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);
    if (!out) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    parcast_status status = emit_all(platform, out, error);
    if (fclose(out) != 0 && !status)
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    if (!status) status = check_text(buffer, size, error);
    if (status) {
        free(buffer);
        return status;
    }
    *text = buffer;
    *length = size;
    return PARCAST_OK;
}

static parcast_status write_error(const char *path, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot write '%s': %s", path, strerror(errno));
}

static int write_to(FILE *out, const char *text, size_t length)
{
    if (fwrite(text, 1, length, out) != length || fflush(out) != 0) return -1;
    return 0;
}

/* A device or a pipe cannot be replaced by renaming: written in place. */
static parcast_status write_in_place(const char *path, const char *text, size_t length, parcast_error *error)
{
    FILE *out = fopen(path, "wbe");
    if (!out) return write_error(path, error);
    int written = write_to(out, text, length);
    int saved = errno;
    if (fclose(out) != 0 && written == 0) {
        written = -1;
        saved = errno;
    }
    errno = saved;
    return written == 0 ? PARCAST_OK : write_error(path, error);
}

/* Write beside the file, then rename: readers see the old or the new one, and a full disk spoils neither. */
static parcast_status replace(const char *path, const char *text, size_t length, parcast_error *error)
{
    char *temporary = NULL;
    parcast_status status = PARCAST_OK;
    if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    int file = mkostemp(temporary, O_CLOEXEC);
    FILE *out = file < 0 ? NULL : fdopen(file, "wb");
    if (!out) {
        status = write_error(path, error);
        if (file >= 0) (void)close(file);
        goto free_name;
    }
    mode_t mask = umask(0);
    umask(mask);
    bool good = write_to(out, text, length) == 0 && fchmod(file, 0666 & ~mask) == 0 && fsync(file) == 0;
    if (!good) status = write_error(path, error);
    if (fclose(out) != 0 && good) status = write_error(path, error);
    if (!status && rename(temporary, path) != 0) status = write_error(path, error);
    if (status) (void)unlink(temporary);
free_name:
    free(temporary);
    return status;
}

parcast_status parcast_platform_save(const parcast_platform *platform, const char *path, parcast_error *error)
{
    char *text = NULL;
    size_t length = 0;
    struct stat info;
    parcast_status status = parcast_platform_format(platform, &text, &length, error);
    if (status) return status;
    bool exists = stat(path, &info) == 0;
    char *target = exists ? realpath(path, NULL) : NULL; /* a link stays a link */
    if (strcmp(path, "-") == 0)
        status = write_to(stdout, text, length) == 0 ? PARCAST_OK : write_error("standard output", error);
    else if (exists && S_ISDIR(info.st_mode))
        status = parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot write '%s': it is a directory", path);
    else if (exists && !S_ISREG(info.st_mode))
        status = write_in_place(path, text, length, error);
    else
        status = replace(target ? target : path, text, length, error);
    free(target);
    free(text);
    return status;
}
