#include "forecast/traffic.h"

#include <math.h>
#include <stdlib.h>

/* One rank's share while its edges are visited. */
struct rank_sum {
    double out_bytes, out_count, local_bytes, local_count;
};

/* exchange: as much comes back at the same time. */
static double on_the_wire(const struct machine *m, double count, double bytes, bool exchange)
{
    if (!(count > 0)) return bytes;
    double wire_bytes = count * machine_wire_bytes(m, bytes / count);
    return exchange ? wire_bytes * (1 + machine_exchange_penalty(m, bytes / count)) : wire_bytes;
}

/* exchange: the neighbour sends as much back in the same round. */
static void add_edge(struct traffic *t, const struct machine *m, int from, int to, double count, double bytes,
                     bool exchange, struct rank_sum *sum)
{
    int a = m->node_of_rank[from], b = m->node_of_rank[to];
    if (a == b) {
        sum->local_bytes += bytes;
        sum->local_count += count;
        return;
    }
    double wire_bytes = on_the_wire(m, count, bytes, exchange);
    sum->out_bytes += wire_bytes;
    sum->out_count += count;
    t->nodes[a].out_bytes += wire_bytes;
    t->in_bytes[(size_t)b * (size_t)m->n_groups + (size_t)m->nodes[a].group] += wire_bytes;
    t->away_bytes += bytes;
}

static void keep_busiest(struct node_traffic *node, const struct rank_sum *sum)
{
    node->rank_out_bytes = fmax(node->rank_out_bytes, sum->out_bytes);
    node->rank_out_count = fmax(node->rank_out_count, sum->out_count);
    node->rank_local_bytes = fmax(node->rank_local_bytes, sum->local_bytes);
    node->rank_local_count = fmax(node->rank_local_count, sum->local_count);
}

/* Shapes with few neighbours: every edge. */
static void lay_edges(struct traffic *t, const struct pattern *pattern, const struct machine *m)
{
    int dims[3], d = pattern_dimensions(pattern->kind);
    pattern_grid(m->n_ranks, d ? d : 1, pattern_ascending(pattern->kind), dims);
    double count[PATTERN_CLASSES], bytes[PATTERN_CLASSES];
    for (int k = 0; k < PATTERN_CLASSES; k++)
        pattern_edge(pattern, m->n_ranks, dims, k, &count[k], &bytes[k]);
    for (int rank = 0; rank < m->n_ranks; rank++) {
        int to[PATTERN_MAX_DEGREE], classes[PATTERN_MAX_DEGREE];
        int degree = pattern_neighbours(pattern->kind, m->n_ranks, dims, rank, to, classes);
        struct rank_sum sum = {0};
        for (int i = 0; i < degree; i++)
            add_edge(t, m, rank, to[i], count[classes[i]], bytes[classes[i]], true, &sum);
        keep_busiest(&t->nodes[m->node_of_rank[rank]], &sum);
    }
}

/* Every outer rank with rank 0, both ways. */
static void lay_star(struct traffic *t, const struct pattern *pattern, const struct machine *m)
{
    int dims[3] = {m->n_ranks, 1, 1};
    double in_count, in_bytes, out_count, out_bytes;
    pattern_edge(pattern, m->n_ranks, dims, 0, &in_count, &in_bytes);
    pattern_edge(pattern, m->n_ranks, dims, 1, &out_count, &out_bytes);
    struct rank_sum centre = {0};
    for (int rank = 1; rank < m->n_ranks; rank++) {
        struct rank_sum sum = {0};
        add_edge(t, m, rank, 0, in_count, in_bytes, false, &sum);
        add_edge(t, m, 0, rank, out_count, out_bytes, false, &centre);
        keep_busiest(&t->nodes[m->node_of_rank[rank]], &sum);
    }
    keep_busiest(&t->nodes[m->node_of_rank[0]], &centre);
}

/* Each rank of node i sends `count` messages and `bytes` to every other rank: p_ij = n_j/(n-1), p_ii =
 * (n_i-1)/(n-1). */
static void lay_even(struct traffic *t, const struct machine *m, double count, double bytes)
{
    double wire_bytes = on_the_wire(m, count, bytes, true);
    double *by_group =
        t->in_bytes + (size_t)m->n_nodes * (size_t)m->n_groups; /* ranks of each group: scratch row */
    for (int g = 0; g < m->n_groups; g++) by_group[g] = 0;
    for (int i = 0; i < m->n_nodes; i++) by_group[m->nodes[i].group] += m->nodes[i].n_ranks;
    for (int i = 0; i < m->n_nodes; i++) {
        double own = m->nodes[i].n_ranks, others = m->n_ranks - own;
        struct node_traffic *node = &t->nodes[i];
        node->out_bytes = own * others * wire_bytes;
        node->rank_out_bytes = others * wire_bytes;
        node->rank_out_count = others * count;
        node->rank_local_bytes = (own - 1) * bytes;
        node->rank_local_count = (own - 1) * count;
        t->away_bytes += own * others * bytes;
        for (int g = 0; g < m->n_groups; g++) {
            double senders = by_group[g] - (g == m->nodes[i].group ? own : 0);
            t->in_bytes[(size_t)i * (size_t)m->n_groups + (size_t)g] = own * senders * wire_bytes;
        }
    }
}

parcast_status traffic_create(const struct pattern *pattern, const struct machine *machine,
                              struct traffic *traffic, parcast_error *error)
{
    struct traffic t = {0};
    t.nodes = calloc((size_t)machine->n_nodes, sizeof *t.nodes);
    t.in_bytes = calloc(((size_t)machine->n_nodes + 1) * (size_t)machine->n_groups, sizeof *t.in_bytes);
    if (!t.nodes || !t.in_bytes) {
        traffic_clear(&t);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for the traffic of %d nodes",
                                 machine->n_nodes);
    }
    int n = machine->n_ranks, dims[3] = {n, 1, 1};
    double count, bytes;
    if (n > 1) switch (pattern->kind) {
        case PATTERN_NONE:
            break;
        case PATTERN_RANDOM:
            t.random = true;
            lay_even(&t, machine, growth_value(&pattern->random_count, n) / (n - 1),
                     growth_value(&pattern->random_bytes, n) / (n - 1));
            break;
        case PATTERN_ALL:
            pattern_edge(pattern, n, dims, 0, &count, &bytes);
            lay_even(&t, machine, count, bytes);
            break;
        case PATTERN_STAR:
            lay_star(&t, pattern, machine);
            break;
        default:
            lay_edges(&t, pattern, machine);
            break;
        }
    *traffic = t;
    return PARCAST_OK;
}

void traffic_clear(struct traffic *traffic)
{
    free(traffic->nodes);
    free(traffic->in_bytes);
    *traffic = (struct traffic){0};
}
