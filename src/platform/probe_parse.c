/*
 * What parcast-probe.<mpi> writes: one JSON object, the structs of probe.h field by field.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/probe.h"

#define PROBE_SCHEMA "parcast.probe-raw/1"

struct parser {
    const char *source;
    parcast_error *error;
};

static parcast_status malformed(const struct parser *p, const char *what)
{
    return parcast_error_set(p->error, PARCAST_FORMAT, p->source, 0, "the result of the probe has no %s",
                             what);
}

/* A number; null stands for "not measured". */
static parcast_status get_number(const struct parser *p, const json_t *object, const char *name,
                                 double *value)
{
    const json_t *member = json_object_get(object, name);
    if (!json_is_number(member) && !json_is_null(member)) return malformed(p, name);
    *value = json_is_null(member) ? NAN : json_number_value(member);
    return PARCAST_OK;
}

static parcast_status get_count(const struct parser *p, const json_t *object, const char *name, int low,
                                int high, int *value)
{
    const json_t *member = json_object_get(object, name);
    if (!json_is_integer(member) || json_integer_value(member) < low || json_integer_value(member) > high)
        return malformed(p, name);
    *value = (int)json_integer_value(member);
    return PARCAST_OK;
}

static parcast_status get_text(const struct parser *p, const json_t *object, const char *name, char *text,
                               size_t size)
{
    const char *value = json_string_value(json_object_get(object, name));
    if (!value) return malformed(p, name);
    size_t length = strnlen(value, size - 1);
    memcpy(text, value, length);
    text[length] = '\0';
    return PARCAST_OK;
}

/* [[x, y], ...] into two arrays. */
static parcast_status get_points(const struct parser *p, const json_t *object, const char *name, int *n,
                                 double *x, double *y)
{
    const json_t *list = json_object_get(object, name);
    size_t length = json_array_size(list);
    if (!json_is_array(list) || length > PARCAST_PROBE_POINTS) return malformed(p, name);
    for (size_t i = 0; i < length; i++) {
        const json_t *pair = json_array_get(list, i);
        const json_t *first = json_array_get(pair, 0), *second = json_array_get(pair, 1);
        if (!json_is_number(first) || !json_is_number(second)) return malformed(p, name);
        x[i] = json_number_value(first);
        y[i] = json_number_value(second);
        if (!(x[i] > 0 && y[i] > 0) || (i > 0 && x[i] <= x[i - 1])) return malformed(p, name);
    }
    *n = (int)length;
    return PARCAST_OK;
}

static parcast_status parse_host(const struct parser *p, const json_t *object, parcast_probe_host *host)
{
    double cores[PARCAST_PROBE_POINTS] = {0};
    parcast_status status = get_text(p, object, "name", host->name, sizeof host->name);
    if (!status) status = get_count(p, object, "ranks", 1, 1 << 24, &host->ranks);
    if (!status) status = get_count(p, object, "cores", 1, 1 << 16, &host->cores);
    if (!status) status = get_count(p, object, "sockets", 1, 1 << 16, &host->sockets);
    if (!status) status = get_number(p, object, "memory_bytes", &host->memory_bytes);
    if (!status) status = get_number(p, object, "calibration", &host->calibration);
    if (!status && json_object_get(object, "calibration_error")) /* probes of before had none */
        status = get_number(p, object, "calibration_error", &host->calibration_error);
    if (!status && !(host->calibration_error >= 0)) host->calibration_error = 0;
    if (!status) status = get_number(p, object, "calibration_busy", &host->calibration_busy);
    if (!status) status = get_number(p, object, "dilation_ratio", &host->dilation_ratio);
    if (!status) status = get_number(p, object, "flop_rate_flop_per_s", &host->flop_rate_flop_per_s);
    if (!status)
        status = get_points(p, object, "memory_bandwidth", &host->n_memory, cores, host->memory_bytes_per_s);
    if (!status) status = get_number(p, object, "shared_latency_s", &host->shared_latency_s);
    if (!status)
        status = get_number(p, object, "shared_bandwidth_bytes_per_s", &host->shared_bandwidth_bytes_per_s);
    if (!status) status = get_number(p, object, "load_ratio", &host->load_ratio);
    for (int i = 0; !status && i < host->n_memory; i++)
        host->memory_cores[i] = cores[i] < 1 << 16 ? (int)cores[i] : 1 << 16;
    return status;
}

/* Times of exchanges, of the same sizes; probes of before had none. */
static parcast_status parse_exchange(const struct parser *p, const json_t *object, parcast_probe_pair *pair)
{
    double bytes[PARCAST_PROBE_POINTS];
    int n = 0;
    for (int k = 0; k < pair->n_sizes; k++) pair->exchange_s[k] = NAN;
    if (!json_object_get(object, "exchange")) return PARCAST_OK;
    parcast_status status = get_points(p, object, "exchange", &n, bytes, pair->exchange_s);
    if (status) return status;
    if (n != pair->n_sizes) return malformed(p, "exchange");
    for (int k = 0; k < n; k++)
        if (bytes[k] != pair->bytes[k]) return malformed(p, "exchange");
    return PARCAST_OK;
}

/* [[bytes, share], ...]; probes of before had none. */
static parcast_status parse_overlap(const struct parser *p, const json_t *object, parcast_probe_pair *pair)
{
    const json_t *list = json_object_get(object, "overlap");
    pair->eager_up_to_bytes = NAN;
    if (!list) return PARCAST_OK;
    if (!json_is_array(list) || json_array_size(list) > PARCAST_PROBE_POINTS) return malformed(p, "overlap");
    pair->n_overlap = (int)json_array_size(list);
    for (int i = 0; i < pair->n_overlap; i++) {
        const json_t *entry = json_array_get(list, (size_t)i);
        double bytes = json_number_value(json_array_get(entry, 0));
        const json_t *ratio = json_array_get(entry, 1);
        double value = json_number_value(ratio);
        if (!json_is_number(ratio) || !(value >= 0 && value <= 1)) return malformed(p, "overlap");
        if (!(bytes > 0) || (i > 0 && bytes <= pair->overlap_bytes[i - 1])) return malformed(p, "overlap");
        pair->overlap_bytes[i] = bytes;
        pair->overlap_ratio[i] = value;
    }
    return get_number(p, object, "eager_up_to_bytes", &pair->eager_up_to_bytes);
}

static parcast_status parse_pair(const struct parser *p, const json_t *object, int n_hosts,
                                 parcast_probe_pair *pair)
{
    parcast_status status = get_count(p, object, "a", 0, n_hosts - 1, &pair->a);
    if (!status) status = get_count(p, object, "b", 0, n_hosts - 1, &pair->b);
    if (!status) status = get_points(p, object, "one_way", &pair->n_sizes, pair->bytes, pair->one_way_s);
    if (!status && pair->n_sizes < 2) status = malformed(p, "one_way");
    if (!status) status = parse_exchange(p, object, pair);
    if (!status) status = parse_overlap(p, object, pair);
    if (!status) status = get_number(p, object, "overhead_s", &pair->overhead_s);
    if (!status) status = get_number(p, object, "both_ways_ratio", &pair->both_ways_ratio);
    return status;
}

static parcast_status parse_lists(const struct parser *p, const json_t *root, parcast_probe *probe)
{
    const json_t *hosts = json_object_get(root, "hosts"), *pairs = json_object_get(root, "pairs");
    size_t n_hosts = json_array_size(hosts), n_pairs = json_array_size(pairs);
    if (n_hosts == 0) return malformed(p, "hosts");
    if (!json_is_array(pairs)) return malformed(p, "pairs");
    probe->hosts = calloc(n_hosts, sizeof *probe->hosts);
    probe->pairs = calloc(n_pairs + 1, sizeof *probe->pairs);
    if (!probe->hosts || !probe->pairs)
        return parcast_error_set(p->error, PARCAST_MEMORY, p->source, 0, "out of memory");
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < n_hosts && !status; i++)
        status = parse_host(p, json_array_get(hosts, i), &probe->hosts[probe->n_hosts++]);
    for (size_t i = 0; i < n_pairs && !status; i++)
        status = parse_pair(p, json_array_get(pairs, i), (int)n_hosts, &probe->pairs[probe->n_pairs++]);
    return status;
}

parcast_status parcast_probe_parse(const char *text, size_t length, const char *source, parcast_probe *probe,
                                   parcast_error *error)
{
    const struct parser p = {source, error};
    parcast_probe result = {0};
    json_error_t cause;
    json_t *root = json_loadb(text, length, 0, &cause);
    if (!root)
        return parcast_error_set(error, PARCAST_FORMAT, source, cause.line > 0 ? cause.line : 0,
                                 "the result of the probe is not JSON: %s", cause.text);
    const char *schema = json_string_value(json_object_get(root, "schema"));
    parcast_status status = PARCAST_OK;
    if (!schema || strcmp(schema, PROBE_SCHEMA) != 0) status = malformed(&p, "schema " PROBE_SCHEMA);
    if (!status) status = get_text(&p, root, "mpi", result.mpi, sizeof result.mpi);
    if (!status) status = get_count(&p, root, "bisection_pairs", 0, 1 << 20, &result.bisection_pairs);
    if (!status) status = get_number(&p, root, "bisection_bytes_per_s", &result.bisection_bytes_per_s);
    if (!status) status = parse_lists(&p, root, &result);
    json_decref(root);
    if (status)
        parcast_probe_destroy(&result);
    else
        *probe = result;
    return status;
}

void parcast_probe_destroy(parcast_probe *probe)
{
    free(probe->hosts);
    free(probe->pairs);
    *probe = (parcast_probe){0};
}
