/*
 * SimGrid's platform files as platforms of ours. What has a counterpart: one cluster with its topology, or
 * hosts with a link each whose routes make a star; and the settings of the network model in <config>.
 * Everything that would change times and has none is refused.
 */
#include "platform/simgrid.h"

#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/simgrid_units.h"

enum { MOST_HOSTS = 1000, NAME_BYTES = 64 };

struct link {
    char name[NAME_BYTES];
    double bandwidth, latency;
    bool split;
};

struct host {
    char name[NAME_BYTES];
    double speed;
    int cores, link; /* link: -1 until a route shows it */
};

struct cluster {
    int count, cores;
    double speed, bandwidth, latency, loopback_bandwidth, loopback_latency;
    bool split;
    char topology[16], parameters[256];
};

/* Settings of the network model; the defaults are those of smpirun. */
struct settings {
    bool factors; /* SimGrid's own tables */
    double bandwidth_factor, latency_factor, weight_size, crosstraffic, window, eager_below, detached_below;
};

struct xml {
    XML_Parser parser;
    const char *source;
    parcast_error *error;
    parcast_status status;
    struct cluster cluster;
    struct settings settings;
    struct host *hosts;
    struct link *links;
    int n_hosts, n_links;
    int ends[2], n_ends; /* hosts of the route under work; links that it names */
    bool in_route;
};

static void refuse(struct xml *x, parcast_status status, const char *what, const char *value)
{
    if (x->status) return;
    x->status = status;
    parcast_error_set(x->error, status, x->source, (int)XML_GetCurrentLineNumber(x->parser), "%s '%.80s'",
                      what, value);
    XML_StopParser(x->parser, XML_FALSE);
}

static const char *attribute(const XML_Char **attributes, const char *name)
{
    for (; attributes[0]; attributes += 2)
        if (strcmp(attributes[0], name) == 0) return attributes[1];
    return NULL;
}

static void read_value(struct xml *x, const XML_Char **attributes, const char *name,
                       bool (*read)(const char *, double *), double otherwise, double *value)
{
    const char *text = attribute(attributes, name);
    char what[NAME_BYTES];
    *value = otherwise;
    if (text && !read(text, value)) {
        snprintf(what, sizeof what, "attribute %s cannot be", name);
        refuse(x, PARCAST_FORMAT, what, text);
    }
    if (isnan(*value)) refuse(x, PARCAST_FORMAT, "an attribute is missing:", name);
}

static void read_cores(struct xml *x, const XML_Char **attributes, int *cores)
{
    const char *text = attribute(attributes, "core");
    char *end;
    long n = text ? strtol(text, &end, 10) : 1;
    if (text && (*end || n < 1 || n > 1000000)) refuse(x, PARCAST_FORMAT, "attribute core cannot be", text);
    *cores = (int)n;
}

static void read_policy(struct xml *x, const XML_Char **attributes, const char *otherwise, bool *split)
{
    const char *policy = attribute(attributes, "sharing_policy");
    if (!policy) policy = otherwise;
    *split = strcmp(policy, "SPLITDUPLEX") == 0;
    if (!*split && strcmp(policy, "SHARED") != 0)
        refuse(x, PARCAST_UNSUPPORTED, "a link is shared, or split in two directions, not", policy);
}

static void read_name(struct xml *x, const XML_Char **attributes, const char *key, char *name)
{
    const char *text = attribute(attributes, key);
    if (!text || !*text || strlen(text) >= NAME_BYTES)
        refuse(x, PARCAST_FORMAT, "a name is missing or too long:", text ? text : key);
    else
        snprintf(name, NAME_BYTES, "%s", text);
}

/* Elements. */

static void begin_cluster(struct xml *x, const XML_Char **attributes)
{
    static const char *const without[] = {"bb_bw", "limiter_link", "speed_file", "bb_lat"};
    struct cluster *c = &x->cluster;
    const char *radical = attribute(attributes, "radical"), *topology = attribute(attributes, "topology");
    const char *parameters = attribute(attributes, "topo_parameters");
    if (c->count) refuse(x, PARCAST_UNSUPPORTED, "there is more than one cluster:", radical ? radical : "");
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++)
        if (attribute(attributes, without[i]))
            refuse(x, PARCAST_UNSUPPORTED, "a cluster here has no", without[i]);
    if (!radical || !simgrid_radical(radical, &c->count))
        refuse(x, PARCAST_FORMAT, "attribute radical cannot be", radical ? radical : "");
    read_value(x, attributes, "speed", simgrid_speed, NAN, &c->speed);
    read_value(x, attributes, "bw", simgrid_bandwidth, NAN, &c->bandwidth);
    read_value(x, attributes, "lat", simgrid_time, NAN, &c->latency);
    read_value(x, attributes, "loopback_bw", simgrid_bandwidth, 0, &c->loopback_bandwidth);
    read_value(x, attributes, "loopback_lat", simgrid_time, 0, &c->loopback_latency);
    read_cores(x, attributes, &c->cores);
    read_policy(x, attributes, "SPLITDUPLEX", &c->split);
    if (parameters && strlen(parameters) >= sizeof c->parameters)
        refuse(x, PARCAST_FORMAT, "too long:", parameters);
    snprintf(c->topology, sizeof c->topology, "%s", topology ? topology : "FLAT");
    snprintf(c->parameters, sizeof c->parameters, "%s", parameters ? parameters : "");
}

static void begin_host(struct xml *x, const XML_Char **attributes)
{
    struct host *hosts = realloc(x->hosts, ((size_t)x->n_hosts + 1) * sizeof *hosts);
    if (!hosts) refuse(x, PARCAST_MEMORY, "out of memory for", "hosts");
    if (!hosts) return;
    x->hosts = hosts;
    struct host *host = &hosts[x->n_hosts++];
    *host = (struct host){.link = -1};
    if (x->n_hosts > MOST_HOSTS) refuse(x, PARCAST_LIMIT, "too many hosts of their own at", "host");
    read_name(x, attributes, "id", host->name);
    read_value(x, attributes, "speed", simgrid_speed, NAN, &host->speed);
    read_cores(x, attributes, &host->cores);
}

static void begin_link(struct xml *x, const XML_Char **attributes)
{
    struct link *links = realloc(x->links, ((size_t)x->n_links + 1) * sizeof *links);
    if (!links) refuse(x, PARCAST_MEMORY, "out of memory for", "links");
    if (!links) return;
    x->links = links;
    struct link *link = &links[x->n_links++];
    *link = (struct link){.split = false};
    read_name(x, attributes, "id", link->name);
    read_value(x, attributes, "bandwidth", simgrid_bandwidth, NAN, &link->bandwidth);
    read_value(x, attributes, "latency", simgrid_time, 0, &link->latency);
    read_policy(x, attributes, "SHARED", &link->split);
}

static void begin_route(struct xml *x, const XML_Char **attributes)
{
    const char *names[] = {attribute(attributes, "src"), attribute(attributes, "dst")};
    x->in_route = true;
    x->n_ends = 0;
    for (int e = 0; e < 2; e++) {
        x->ends[e] = -1;
        for (int h = 0; h < x->n_hosts && names[e]; h++)
            if (strcmp(x->hosts[h].name, names[e]) == 0) x->ends[e] = h;
        if (x->ends[e] < 0)
            refuse(x, PARCAST_UNSUPPORTED, "a route is between hosts; there is none",
                   names[e] ? names[e] : "");
    }
}

/* On a star the first link of every route is the source's own, the second the destination's. */
static void name_link(struct xml *x, const XML_Char **attributes)
{
    const char *name = attribute(attributes, "id");
    int link = -1;
    for (int l = 0; l < x->n_links && name; l++)
        if (strcmp(x->links[l].name, name) == 0) link = l;
    if (link < 0) refuse(x, PARCAST_FORMAT, "no such link:", name ? name : "");
    if (!x->in_route || x->n_ends > 1)
        refuse(x, PARCAST_UNSUPPORTED,
               "routes that make no star (source's link, destination's link):", name ? name : "");
    if (x->status) return;
    struct host *host = &x->hosts[x->ends[x->n_ends++]];
    for (int h = 0; h < x->n_hosts; h++)
        if (&x->hosts[h] != host && x->hosts[h].link == link)
            refuse(x, PARCAST_UNSUPPORTED, "routes that make no star: two hosts have the link", name);
    if (host->link >= 0 && host->link != link)
        refuse(x, PARCAST_UNSUPPORTED, "routes that make no star: a host has two links, one of them", name);
    host->link = link;
}

static bool plain_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value) && *value >= 0;
}

static void choose_model(struct xml *x, const char *name)
{
    struct settings *s = &x->settings;
    if (strcmp(name, "SMPI") == 0)
        *s = (struct settings){
            true, 1, 1, 8775, s->crosstraffic, s->window, s->eager_below, s->detached_below};
    else if (strcmp(name, "LV08") == 0)
        *s = (struct settings){false,           0.97,      13.01,          20537,
                               s->crosstraffic, s->window, s->eager_below, s->detached_below};
    else if (strcmp(name, "CM02") == 0)
        *s = (struct settings){false, 1, 1, 0, s->crosstraffic, s->window, s->eager_below, s->detached_below};
    else
        refuse(x, PARCAST_UNSUPPORTED, "no such network model:", name);
}

static void read_setting(struct xml *x, const XML_Char **attributes)
{
    struct settings *s = &x->settings;
    const struct {
        const char *name;
        double *value;
    } numbers[] = {{"network/TCP-gamma", &s->window},
                   {"network/weight-S", &s->weight_size},
                   {"network/bandwidth-factor", &s->bandwidth_factor},
                   {"network/latency-factor", &s->latency_factor},
                   {"smpi/async-small-thresh", &s->eager_below},
                   {"smpi/send-is-detached-thresh", &s->detached_below}};
    static const char *const refused[] = {"smpi/os", "smpi/or", "smpi/ois", "smpi/bw-factor",
                                          "smpi/lat-factor"};
    const char *name = attribute(attributes, "id"), *value = attribute(attributes, "value");
    if (!name || !value) return;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (strcmp(name, refused[i]) == 0)
            refuse(x, PARCAST_UNSUPPORTED, "a platform file here does not set", name);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(name, numbers[i].name) == 0 && !plain_number(value, numbers[i].value))
            refuse(x, PARCAST_FORMAT, "a number is expected, not", value);
    if (strcmp(name, "network/model") == 0) choose_model(x, value);
    if (strcmp(name, "network/crosstraffic") == 0)
        s->crosstraffic =
            strcmp(value, "0") == 0 || strcmp(value, "no") == 0 || strcmp(value, "off") == 0 ? 0 : 0.05;
}

static void on_begin(void *state, const XML_Char *name, const XML_Char **attributes)
{
    static const struct {
        const char *name;
        void (*begin)(struct xml *, const XML_Char **);
    } elements[] = {{"cluster", begin_cluster}, {"host", begin_host},    {"link", begin_link},
                    {"route", begin_route},     {"link_ctn", name_link}, {"prop", read_setting}};
    static const char *const passed[] = {"platform", "zone", "AS", "config"};
    struct xml *x = state;
    if (x->status) return; /* a parser that was stopped may still tell of what it has begun */
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        if (strcmp(elements[i].name, name) == 0) {
            elements[i].begin(x, attributes);
            return;
        }
    for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++)
        if (strcmp(passed[i], name) == 0) return;
    refuse(x, PARCAST_UNSUPPORTED, "an element without counterpart:", name);
}

static void on_end(void *state, const XML_Char *name)
{
    struct xml *x = state;
    if (x->status || strcmp(name, "route") != 0) return;
    x->in_route = false;
    if (x->n_ends != 2)
        refuse(x, PARCAST_UNSUPPORTED, "a route of a star has two links; this one ends at",
               x->hosts[x->ends[1]].name);
}

/* Writing. */

/* "2;4,4;1,2;1,2", "4,4", "2,1;1,1;4,1;2": lists of numbers. */
static bool read_lists(const char *text, int lists[][8], int *sizes, int most_lists, int *n_lists)
{
    int list = 0, n = 0;
    for (const char *at = text;; at++) {
        char *end;
        long value = strtol(at, &end, 10);
        if (end == at || value < 1 || value > 10000000 || n == 8 || list == most_lists) return false;
        lists[list][n++] = (int)value;
        at = end;
        if (*at == ',') continue;
        sizes[list++] = n;
        n = 0;
        if (*at == '\0') break;
        if (*at != ';') return false;
    }
    *n_lists = list;
    return true;
}

static void write_list(FILE *out, const char *key, const int *list, int n)
{
    fprintf(out, ", %s: [", key);
    for (int i = 0; i < n; i++) fprintf(out, "%s%d", i ? ", " : "", list[i]);
    fputc(']', out);
}

static bool write_topology(FILE *out, const struct cluster *c)
{
    int lists[4][8], sizes[4], n = 0;
    bool flat = strcmp(c->topology, "FLAT") == 0 || c->count == 0;
    if (flat) {
        fputs("topology: star", out);
        return true;
    }
    if (!read_lists(c->parameters, lists, sizes, 4, &n)) return false;
    if (strcmp(c->topology, "TORUS") == 0 && n == 1) {
        fputs("topology: torus", out);
        write_list(out, "dims", lists[0], sizes[0]);
    } else if (strcmp(c->topology, "FAT_TREE") == 0 && n == 4 && sizes[0] == 1 && lists[0][0] == sizes[1] &&
               sizes[1] == sizes[2] && sizes[2] == sizes[3]) {
        fputs("topology: fat-tree", out);
        write_list(out, "down", lists[1], sizes[1]);
        write_list(out, "up", lists[2], sizes[2]);
        write_list(out, "parallel", lists[3], sizes[3]);
    } else if (strcmp(c->topology, "DRAGONFLY") == 0 && n == 4 && sizes[0] == 2 && sizes[1] == 2 &&
               sizes[2] == 2 && sizes[3] == 1) {
        fputs("topology: dragonfly", out);
        write_list(out, "groups", lists[0], 2);
        write_list(out, "chassis", lists[1], 2);
        write_list(out, "routers", lists[2], 2);
        fprintf(out, ", nodes_per_router: %d, routing: peer-compat", lists[3][0]);
    } else {
        return false;
    }
    return true;
}

static void write_settings(FILE *out, const struct settings *s)
{
    fprintf(out,
            ", weights: latency, weight_size: %.17g, crosstraffic: %.17g, envelope: 16, eager_below: %.17g, "
            "detached_below: %.17g",
            s->weight_size, s->crosstraffic, s->eager_below, s->detached_below);
    if (s->window > 0) fprintf(out, ", window: %.17g", s->window);
    if (s->factors) { /* of network/model SMPI */
        fputs(", bandwidth_factors: [[0, 0.812084], [257, 0.338112], [732, 0.341987], [1426, 0.608902], "
              "[3484, 0.77493], "
              "[5776, 1.08739], [9376, 0.58729], [15424, 0.697866], [65472, 0.940694]]",
              out);
        fputs(", latency_factors: [[0, 2.01467], [257, 1.95341], [732, 1.9503], [1426, 1.61075], [3484, "
              "1.88101], "
              "[5776, 2.18796], [9376, 2.59299], [15424, 3.48845], [65472, 11.6436]]",
              out);
    } else {
        fprintf(out, ", bandwidth_factors: [[0, %.17g]], latency_factors: [[0, %.17g]]", s->bandwidth_factor,
                s->latency_factor);
    }
    fputs(", collectives: naive}\n", out);
}

static void write_hosts(FILE *out, const struct xml *x)
{
    for (int h = 0; h < x->n_hosts; h++) {
        const struct host *host = &x->hosts[h];
        const struct link *link = &x->links[host->link];
        fprintf(
            out,
            "%s{type: host%d, count: 1, cores: %d, flop_rate: %.17g, bandwidth: %.17g, link_latency: %.17g}",
            h ? ", " : "", h, host->cores, host->speed, link->bandwidth, link->latency);
    }
}

static bool write_platform(FILE *out, const struct xml *x)
{
    const struct cluster *c = &x->cluster;
    bool split = c->count ? c->split : x->links[x->hosts[0].link].split;
    double bandwidth = c->count ? c->bandwidth : x->links[x->hosts[0].link].bandwidth;
    double latency = c->count ? c->latency : x->links[x->hosts[0].link].latency;
    fputs("schema: parcast.platform/1\nnodes: [", out);
    if (c->count)
        fprintf(out, "{type: host, count: %d, cores: %d, flop_rate: %.17g}", c->count, c->cores, c->speed);
    else
        write_hosts(out, x);
    fputs("]\nnetwork: {", out);
    bool known = write_topology(out, c);
    fprintf(out, ", link_latency: %.17g, bandwidth: %.17g, duplex: %s", latency, bandwidth,
            split ? "full" : "half");
    write_settings(out, &x->settings);
    if (c->loopback_bandwidth > 0)
        fprintf(out, "shared_memory: {latency: %.17g, bandwidth: %.17g}\n", c->loopback_latency,
                c->loopback_bandwidth);
    return known;
}

/* What the elements alone do not show. */
static void check_whole(struct xml *x)
{
    if (!x->cluster.count && !x->n_hosts)
        refuse(x, PARCAST_FORMAT, "there is neither a cluster nor a host in", x->source);
    if (x->cluster.count && x->n_hosts)
        refuse(x, PARCAST_UNSUPPORTED, "a cluster and hosts of their own, like", x->hosts[0].name);
    for (int h = 0; h < x->n_hosts && !x->status; h++) {
        if (x->hosts[h].link < 0)
            refuse(x, PARCAST_FORMAT, "no route shows the link of host", x->hosts[h].name);
        if (!x->status && x->links[x->hosts[h].link].split != x->links[x->hosts[0].link].split)
            refuse(x, PARCAST_UNSUPPORTED, "some links are split and some are not, like that of",
                   x->hosts[h].name);
    }
}

static void write_out(struct xml *x, char **yaml)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool known = out && write_platform(out, x);
    if (!out || fclose(out) != 0)
        refuse(x, PARCAST_MEMORY, "out of memory for", x->source);
    else if (!known)
        refuse(x, PARCAST_UNSUPPORTED, "topology and its parameters are not known:", x->cluster.topology);
    if (x->status)
        free(text);
    else
        *yaml = text;
}

bool simgrid_is_xml(const char *text, size_t length)
{
    size_t i = 0;
    while (i < length && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n')) i++;
    return i < length && text[i] == '<';
}

parcast_status simgrid_to_yaml(const char *text, size_t length, const char *source, char **yaml,
                               parcast_error *error)
{
    struct xml x = {.source = source,
                    .error = error,
                    .settings = {true, 1, 1, 8775, 0.05, 4194304, 0, 65536},
                    .parser = XML_ParserCreate(NULL)};
    if (!x.parser) return parcast_error_set(error, PARCAST_MEMORY, source, 0, "out of memory");
    XML_SetUserData(x.parser, &x);
    XML_SetElementHandler(x.parser, on_begin, on_end);
    if (XML_Parse(x.parser, text, (int)length, XML_TRUE) != XML_STATUS_OK && !x.status)
        refuse(&x, PARCAST_FORMAT, "this is no XML:", XML_ErrorString(XML_GetErrorCode(x.parser)));
    if (!x.status) check_whole(&x);
    if (!x.status) write_out(&x, yaml);
    XML_ParserFree(x.parser);
    free(x.hosts);
    free(x.links);
    return x.status;
}
