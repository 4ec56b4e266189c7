/*
 * The platform and the flow model of a case, as a platform file: JSON is YAML, so the reader of platforms
 * takes it as it is.
 */
#include <stdlib.h>
#include <string.h>

#include "replay_cases.h"

/* obj[key] = source[name], where it is there. */
static void copy(json_t *object, const char *key, const json_t *source, const char *name)
{
    json_t *value = json_object_get(source, name);
    if (value) json_object_set(object, key, value);
}

static json_t *node_type(const json_t *platform, const json_t *model, size_t i, size_t count)
{
    json_t *type = json_object();
    const json_t *bandwidth = json_object_get(platform, "bandwidth"),
                 *latency = json_object_get(platform, "latency");
    json_object_set_new(type, "type", json_sprintf("host%zu", i));
    json_object_set_new(type, "count", json_integer((json_int_t)count));
    json_object_set_new(type, "cores", json_integer((json_int_t)number_at(platform, "cores", 1)));
    if (json_is_array(bandwidth)) json_object_set(type, "bandwidth", json_array_get(bandwidth, i));
    if (json_is_array(latency)) json_object_set(type, "link_latency", json_array_get(latency, i));
    copy(type, "flop_rate", platform, "speed");
    copy(type, "cpu_in", model, "cpu_per_incoming");
    copy(type, "cpu_out", model, "cpu_per_outgoing");
    return type;
}

/* One type for all hosts, or one for each where their links differ. */
static json_t *nodes(const json_t *platform, const json_t *model)
{
    bool differ = json_is_array(json_object_get(platform, "bandwidth")) ||
                  json_is_array(json_object_get(platform, "latency"));
    size_t n_hosts = (size_t)number_at(platform, "hosts", 1), n_types = differ ? n_hosts : 1;
    json_t *list = json_array();
    for (size_t i = 0; i < n_types; i++)
        json_array_append_new(list, node_type(platform, model, i, differ ? 1 : n_hosts));
    return list;
}

static void set_number(json_t *network, const char *key, const json_t *value)
{
    json_object_set_new(
        network, key, json_real(json_number_value(json_is_array(value) ? json_array_get(value, 0) : value)));
}

/* "none" or the name of a table under factors. */
static void set_factors(const struct check *check, json_t *network, const char *key, const char *name,
                        const char *side)
{
    const json_t *tables = json_object_get(json_object_get(check->file, "factors"), name);
    json_t *table = json_object_get(tables, side);
    if (table) json_object_set(network, key, table);
}

static json_t *network(const struct check *check, const json_t *platform, const json_t *model)
{
    static const char *const parameters[] = {"dims",   "down",    "up",      "parallel",
                                             "groups", "chassis", "routers", "nodes_per_router"};
    json_t *network = json_object();
    const char *topology = text_at(platform, "topology");
    bool equal_share = strcmp(text_at(model, "network"), "star-equal-share") == 0;
    json_object_set_new(network, "topology",
                        json_string(strcmp(topology, "fattree") == 0 ? "fat-tree" : topology));
    set_number(network, "bandwidth", json_object_get(platform, "bandwidth"));
    /* the equal-share star has one latency end to end where the others have one for each link */
    set_number(network, equal_share ? "latency" : "link_latency", json_object_get(platform, "latency"));
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++)
        copy(network, parameters[i], platform, parameters[i]);
    copy(network, "routing", platform, "routing");
    copy(network, "routing", check->test, "routing");
    json_object_set_new(network, "sharing", json_string(equal_share ? "equal-share" : "maxmin"));
    copy(network, "weights", model, "weights");
    copy(network, "weight_size", model, "weight_S");
    copy(network, "crosstraffic", model, "crosstraffic");
    copy(network, "window", model, "tcp_gamma");
    copy(network, "envelope", model, "envelope_bytes");
    set_factors(check, network, "bandwidth_factors", text_at(model, "bandwidth_factors"), "bandwidth");
    set_factors(check, network, "latency_factors", text_at(model, "latency_factors"), "latency");
    copy(network, "eager_below", json_object_get(check->test, "protocol"), "eager_below");
    copy(network, "detached_below", json_object_get(check->test, "protocol"), "detached_below");
    return network;
}

parcast_platform *case_platform(struct check *check)
{
    const json_t *platform = json_object_get(check->test, "platform"),
                 *model = json_object_get(check->test, "model");
    json_t *file = json_object();
    parcast_platform *result = NULL;
    parcast_error error = {0};
    json_object_set_new(file, "schema", json_string("parcast.platform/1"));
    json_object_set_new(file, "nodes", nodes(platform, model));
    json_object_set_new(file, "network", network(check, platform, model));
    char *text = json_dumps(file, JSON_REAL_PRECISION(17));
    if (!text)
        check_fail(check, "out of memory");
    else if (parcast_platform_parse(text, strlen(text), text_at(check->test, "id"), &result, &error))
        check_error(check, &error);
    free(text);
    json_decref(file);
    return result;
}
