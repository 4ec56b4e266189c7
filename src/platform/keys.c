#include "platform/keys.h"

#include <math.h>
#include <string.h>

static const char *const topologies[] = {"star", "fat-tree", "torus", "dragonfly", NULL};
static const char *const duplexes[] = {"full", "half", NULL};
static const char *const sharings[] = {"maxmin", "equal-share", NULL};
static const char *const routings[] = {"minimal", "peer-compat", NULL};
static const char *const weights[] = {"equal", "latency", NULL};

#define P(field)           offsetof(parcast_platform, field)
#define N(field)           offsetof(parcast_node_type, field)
#define W(field)           offsetof(parcast_network_description, field)
#define M(field)           offsetof(parcast_shared_memory, field)
#define TABLE(name, array) const struct key_table name = {array, sizeof(array) / sizeof((array)[0])}

/* Upper limits catch numbers with a forgotten or wrong unit: a latency of 30 is 30 seconds. */
#define MAX_LATENCY_S  10.0
#define MAX_RATE       1e18
#define MAX_SIZE_BYTES 1e18

static const struct key platform_array[] = {
    {.name = "schema", .kind = KEY_SECTION, .required = true},
    {.name = "name", .kind = KEY_TEXT, .offset = P(name)},
    {.name = "nodes", .kind = KEY_SECTION, .required = true},
    {.name = "network", .kind = KEY_SECTION},
    {.name = "shared_memory", .kind = KEY_SECTION},
    {.name = "currency", .kind = KEY_TEXT, .offset = P(currency)},
    {.name = "billing_unit", .kind = KEY_TIME, .offset = P(billing_unit_s), .high = 31622400},
};
TABLE(platform_keys, platform_array);

static const struct key node_array[] = {
    {.name = "type", .kind = KEY_TEXT, .offset = N(name), .required = true},
    {.name = "hosts", .kind = KEY_TEXTS, .offset = N(hosts), .offset_n = N(n_hosts)},
    {.name = "count", .kind = KEY_COUNT, .offset = N(count), .low = 1, .high = 10000000, .required = true},
    {.name = "cores", .kind = KEY_COUNT, .offset = N(cores), .low = 1, .high = 65536, .required = true},
    {.name = "sockets", .kind = KEY_COUNT, .offset = N(sockets), .low = 1, .high = 65536},
    {.name = "speed", .kind = KEY_NUMBER, .offset = N(speed), .high = 1e6, .above = true},
    {.name = "calibration", .kind = KEY_NUMBER, .offset = N(calibration), .high = MAX_RATE, .above = true},
    {.name = "flop_rate",
     .kind = KEY_FLOP_RATE,
     .offset = N(flop_rate_flop_per_s),
     .high = MAX_RATE,
     .above = true},
    {.name = "memory", .kind = KEY_SIZE, .offset = N(memory_bytes), .high = MAX_SIZE_BYTES, .above = true},
    {.name = "memory_bandwidth",
     .kind = KEY_BANDWIDTH,
     .offset = N(memory_bandwidth_bytes_per_s),
     .high = MAX_RATE,
     .above = true},
    {.name = "memory_scaling",
     .kind = KEY_NUMBERS,
     .offset = N(memory_scaling),
     .offset_n = N(n_memory_scaling),
     .high = 65536,
     .above = true},
    {.name = "bandwidth",
     .kind = KEY_BANDWIDTH,
     .offset = N(bandwidth_bytes_per_s),
     .high = MAX_RATE,
     .above = true},
    {.name = "link_latency", .kind = KEY_TIME, .offset = N(link_latency_s), .high = MAX_LATENCY_S},
    {.name = "price_per_hour", .kind = KEY_NUMBER, .offset = N(price_per_hour), .high = 1e9},
    {.name = "startup_delay", .kind = KEY_TIME, .offset = N(startup_delay_s), .high = 31622400},
    {.name = "cpu_in", .kind = KEY_NUMBER, .offset = N(cpu_in), .high = 1},
    {.name = "cpu_out", .kind = KEY_NUMBER, .offset = N(cpu_out), .high = 1},
};
TABLE(node_keys, node_array);

static const struct key network_array[] = {
    {.name = "topology", .kind = KEY_CHOICE, .offset = W(topology), .choices = topologies},
    {.name = "latency", .kind = KEY_TIME, .offset = W(latency_s), .high = MAX_LATENCY_S},
    {.name = "link_latency", .kind = KEY_TIME, .offset = W(link_latency_s), .high = MAX_LATENCY_S},
    {.name = "bandwidth",
     .kind = KEY_BANDWIDTH,
     .offset = W(bandwidth_bytes_per_s),
     .high = MAX_RATE,
     .above = true,
     .required = true},
    {.name = "duplex", .kind = KEY_CHOICE, .offset = W(duplex), .choices = duplexes},
    {.name = "bisection",
     .kind = KEY_BANDWIDTH,
     .offset = W(bisection_bytes_per_s),
     .high = MAX_RATE,
     .above = true},
    {.name = "overhead", .kind = KEY_TIME, .offset = W(overhead_s), .high = MAX_LATENCY_S},
    {.name = "dims",
     .kind = KEY_COUNTS,
     .offset = W(dims),
     .offset_n = W(n_dims),
     .low = 1,
     .high = 10000000},
    {.name = "down",
     .kind = KEY_COUNTS,
     .offset = W(down),
     .offset_n = W(n_levels),
     .low = 1,
     .high = 10000000},
    {.name = "up", .kind = KEY_COUNTS, .offset = W(up), .offset_n = W(n_levels), .low = 1, .high = 10000000},
    {.name = "parallel",
     .kind = KEY_COUNTS,
     .offset = W(parallel),
     .offset_n = W(n_levels),
     .low = 1,
     .high = 10000000},
    {.name = "groups",
     .kind = KEY_CABLES,
     .offset = W(groups),
     .offset_n = W(group_cables),
     .low = 1,
     .high = 1000000},
    {.name = "chassis",
     .kind = KEY_CABLES,
     .offset = W(chassis),
     .offset_n = W(chassis_cables),
     .low = 1,
     .high = 1000000},
    {.name = "routers",
     .kind = KEY_CABLES,
     .offset = W(routers),
     .offset_n = W(router_cables),
     .low = 1,
     .high = 1000000},
    {.name = "nodes_per_router", .kind = KEY_COUNT, .offset = W(nodes_per_router), .low = 1, .high = 1000000},
    {.name = "sharing", .kind = KEY_WORD, .offset = W(sharing), .choices = sharings},
    {.name = "routing", .kind = KEY_WORD, .offset = W(routing), .choices = routings},
    {.name = "collectives", .kind = KEY_TEXT, .offset = W(collectives)},
    {.name = "weights", .kind = KEY_WEIGHTS, .offset = W(weights), .choices = weights},
    {.name = "weight_size", .kind = KEY_SIZE, .offset = W(weight_size_bytes), .high = MAX_SIZE_BYTES},
    {.name = "crosstraffic", .kind = KEY_NUMBER, .offset = W(crosstraffic), .high = 1},
    {.name = "window", .kind = KEY_SIZE, .offset = W(window_bytes), .high = MAX_SIZE_BYTES},
    {.name = "envelope", .kind = KEY_SIZE, .offset = W(envelope_bytes), .high = 1e9},
    {.name = "eager_below", .kind = KEY_SIZE, .offset = W(eager_below_bytes), .high = MAX_SIZE_BYTES},
    {.name = "detached_below", .kind = KEY_SIZE, .offset = W(detached_below_bytes), .high = MAX_SIZE_BYTES},
    {.name = "bandwidth_factors",
     .kind = KEY_CURVE,
     .offset = W(bandwidth_factors),
     .offset_n = W(n_bandwidth_factors),
     .high = 1e6,
     .above = true},
    {.name = "exchange_factors",
     .kind = KEY_CURVE,
     .offset = W(exchange_factors),
     .offset_n = W(n_exchange_factors),
     .high = 1,
     .above = true},
    {.name = "overlap", .kind = KEY_CURVE, .offset = W(overlap), .offset_n = W(n_overlap), .high = 1},
    {.name = "latency_factors",
     .kind = KEY_CURVE,
     .offset = W(latency_factors),
     .offset_n = W(n_latency_factors),
     .high = 1e6},
    {.name = "loggops", .kind = KEY_SECTION},
};
TABLE(network_keys, network_array);

static const struct key loggops_array[] = {
    {.name = "L", .kind = KEY_TIME, .offset = W(loggops.L_s), .high = MAX_LATENCY_S, .required = true},
    {.name = "o", .kind = KEY_TIME, .offset = W(loggops.o_s), .high = MAX_LATENCY_S, .required = true},
    {.name = "g", .kind = KEY_TIME, .offset = W(loggops.g_s), .high = MAX_LATENCY_S, .required = true},
    {.name = "G", .kind = KEY_TIME, .offset = W(loggops.G_s_per_byte), .high = 1, .required = true},
    {.name = "O", .kind = KEY_TIME, .offset = W(loggops.O_s_per_byte), .high = 1},
    {.name = "S", .kind = KEY_SIZE, .offset = W(loggops.S_bytes), .high = MAX_SIZE_BYTES},
};
TABLE(loggops_keys, loggops_array);

static const struct key shared_memory_array[] = {
    {.name = "latency", .kind = KEY_TIME, .offset = M(latency_s), .high = MAX_LATENCY_S},
    {.name = "bandwidth",
     .kind = KEY_BANDWIDTH,
     .offset = M(bandwidth_bytes_per_s),
     .high = MAX_RATE,
     .above = true},
};
TABLE(shared_memory_keys, shared_memory_array);

void node_type_defaults(parcast_node_type *type)
{
    *type = (parcast_node_type){.sockets = 1,
                                .speed = 1,
                                .calibration = NAN,
                                .flop_rate_flop_per_s = NAN,
                                .memory_bytes = NAN,
                                .memory_bandwidth_bytes_per_s = NAN,
                                .bandwidth_bytes_per_s = NAN,
                                .link_latency_s = NAN,
                                .price_per_hour = NAN};
}

void platform_defaults(parcast_platform *platform)
{
    *platform = (parcast_platform){
        .network = {.latency_s = NAN,
                    .link_latency_s = NAN,
                    .bandwidth_bytes_per_s = NAN,
                    .bisection_bytes_per_s = NAN,
                    .group_cables = 1,
                    .chassis_cables = 1,
                    .router_cables = 1,
                    .weights = NAN,
                    .weight_size_bytes = NAN,
                    .crosstraffic = NAN,
                    .window_bytes = NAN,
                    .envelope_bytes = NAN,
                    .eager_below_bytes = NAN,
                    .detached_below_bytes = NAN},
        .shared_memory = {.latency_s = 0.5e-6, .bandwidth_bytes_per_s = 5e9},
    };
}

/* Levenshtein distance of two short words; long ones count as far apart. */
static size_t distance(const char *a, const char *b)
{
    enum { LONGEST = 32 };
    size_t n = strlen(a), m = strlen(b), row[LONGEST + 1];
    if (n > LONGEST || m > LONGEST) return LONGEST;
    for (size_t j = 0; j <= m; j++) row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[m];
}

const char *key_nearest(const struct key_table *table, const char *word)
{
    const char *nearest = NULL;
    size_t best = strlen(word) / 3 + 1;
    if (best < 2) best = 2;
    for (size_t i = 0; i < table->n_keys; i++) {
        size_t d = distance(word, table->keys[i].name);
        if (d <= best && d < strlen(word)) {
            best = d - (d > 0);
            nearest = table->keys[i].name;
        }
    }
    return nearest;
}
