#include "scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t scenario_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

double scenario_uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(scenario_bits(state) >> 11) * 0x1p-53;
}

double scenario_normal(uint64_t *state)
{
    double u = scenario_uniform(state, 0x1p-53, 1), v = scenario_uniform(state, 0, 1);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

parcast_move_model scenario_move(double seconds)
{
    return (parcast_move_model){.launch_s = seconds, .save_bytes_per_s = 1e9, .move_bytes_per_s = 1e9};
}

parcast_malleable *scenario_table(int n_blocks, int n_sizes, const int *nodes, const double *iteration_s,
                                  const double *serial_s)
{
    parcast_malleable *m = calloc(1, sizeof *m);
    size_t cells = (size_t)n_blocks * (size_t)n_sizes;
    if (!m) abort();
    m->program = strdup("imaginary");
    m->arguments = strdup("");
    m->platform = strdup("test");
    m->currency = strdup("EUR");
    m->n_sizes = (size_t)n_sizes;
    m->n_blocks = (size_t)n_blocks;
    m->sizes = calloc(m->n_sizes, sizeof *m->sizes);
    m->blocks = calloc(m->n_blocks, sizeof *m->blocks);
    m->iteration_s = calloc(cells, sizeof *m->iteration_s);
    if (!m->sizes || !m->blocks || !m->iteration_s) abort();
    for (int q = 0; q < n_sizes; q++)
        m->sizes[q] = (parcast_size){
            .nodes = nodes[q], .processes = nodes[q], .price_per_s = NAN, .capacity = nodes[q], .sd_ln = 0.1};
    for (int k = 0; k < n_blocks; k++) m->blocks[k] = (parcast_block){1, serial_s ? serial_s[k] : 1};
    if (iteration_s) memcpy(m->iteration_s, iteration_s, cells * sizeof *iteration_s);
    m->move = scenario_move(0);
    return m;
}

parcast_malleable *scenario_create(const struct scenario *s)
{
    int nodes[1024];
    if (s->n_sizes > 1024) abort();
    for (int q = 0; q < s->n_sizes; q++) nodes[q] = s->nodes ? s->nodes[q] : q + 1;
    parcast_malleable *m = scenario_table(s->n_blocks, s->n_sizes, nodes, NULL, NULL);
    for (size_t q = 0; q < m->n_sizes; q++) {
        parcast_size *size = &m->sizes[q];
        size->price_per_s = size->nodes * s->price_per_hour / 3600;
        size->startup_s = s->startup_s;
        size->sd_ln = s->sd_ln;
    }
    for (size_t k = 0; k < m->n_blocks; k++) {
        double work = s->work ? s->work[k] : 1;
        m->blocks[k] = (parcast_block){s->iterations_per_block, work * s->serial_s};
        for (size_t q = 0; q < m->n_sizes; q++)
            m->iteration_s[k * m->n_sizes + q] =
                work * s->serial_s * (s->fixed_ratio + (1 - s->fixed_ratio) / nodes[q]) +
                s->p_cost_s * (nodes[q] - 1);
    }
    m->billing_unit_s = s->billing_unit_s;
    m->move = s->move;
    return m;
}
