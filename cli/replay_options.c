/* The options of `parcast replay`: what is asked for, and of which machine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "replay_job.h"

static parcast_status wrong(parcast_error *error, const char *option, const char *value, const char *what)
{
    return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%s is %s, not '%s'", option, what, value);
}

/* "L=2500,o=1500,g=1000,G=6,O=0,S=65535": ns, ns per byte, bytes; O and S may be left out. */
static parcast_status read_loggops(const char *text, parcast_loggops *loggops, parcast_error *error)
{
    static const char letters[] = "LogGOS";
    double *fields[] = {&loggops->L_s,          &loggops->o_s,          &loggops->g_s,
                        &loggops->G_s_per_byte, &loggops->O_s_per_byte, &loggops->S_bytes};
    bool seen[sizeof letters - 1] = {false};
    for (const char *at = text; *at;) {
        const char *letter = strchr(letters, *at);
        char *end = NULL;
        double value = at[1] == '=' ? strtod(at + 2, &end) : NAN;
        if (!letter || !(value >= 0) || !isfinite(value) || end == at + 2 || !end || (*end && *end != ',') ||
            seen[letter - letters])
            return wrong(error, "--loggops", text, "L=NS,o=NS,g=NS,G=NS,O=NS,S=BYTES, each once");
        seen[letter - letters] = true;
        *fields[letter - letters] = *letter == 'S' ? value : value * 1e-9;
        at = *end == ',' ? end + 1 : end;
    }
    if (!seen[0] || !seen[1] || !seen[2] || !seen[3])
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--loggops needs L, o, g and G");
    return PARCAST_OK;
}

static parcast_status read_ratio(const char *option, const char *text, double *ratio, parcast_error *error)
{
    char *end;
    if (!text) return PARCAST_OK;
    *ratio = strtod(text, &end);
    if (end == text || *end || !(*ratio > 0) || !isfinite(*ratio))
        return wrong(error, option, text, "a number above 0");
    return PARCAST_OK;
}

static parcast_status read_run(const char *text, int64_t *run, parcast_error *error)
{
    char *end;
    if (!text) return PARCAST_OK;
    *run = strtoll(text, &end, 10);
    if (end == text || *end || *run < 1) return wrong(error, "--run", text, "the number of a run");
    return PARCAST_OK;
}

static parcast_status read_algorithm(struct replay_job *job, const char *text, parcast_error *error)
{
    const char *equals = strchr(text, '=');
    for (unsigned c = 0; equals && c < PARCAST_COLLECTIVES; c++) {
        const char *name = parcast_collective_name((parcast_collective)c);
        if (strlen(name) != (size_t)(equals - text) || strncmp(name, text, strlen(name)) != 0) continue;
        free(job->names[c]);
        job->names[c] = strdup(equals + 1);
        job->how.algorithms[c] = job->names[c];
        return job->names[c] ? PARCAST_OK
                             : parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    }
    return wrong(error, "--collective", text, "NAME=ALGORITHM, like allreduce=ring");
}

/* The parameters of the platform file, with the what-ifs on it. */
static void platform_loggops(struct replay_job *job)
{
    const parcast_network_description *network = &job->platform->network;
    job->loggops = (parcast_loggops){.L_s = network->loggops.L_s,
                                     .o_s = network->loggops.o_s,
                                     .g_s = network->loggops.g_s,
                                     .G_s_per_byte = network->loggops.G_s_per_byte,
                                     .O_s_per_byte = network->loggops.O_s_per_byte,
                                     .S_bytes = network->loggops.S_bytes};
}

static parcast_status choose_network(struct replay_job *job, parcast_error *error)
{
    const struct replay_request *o = job->given;
    if (o->network && strcmp(o->network, "flow") != 0 && strcmp(o->network, "loggops") != 0)
        return wrong(error, "--network", o->network, "flow or loggops");
    bool flow = o->network && strcmp(o->network, "flow") == 0;
    if (o->loggops && flow)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--loggops belongs to --network loggops");
    job->with_loggops = o->loggops || (o->network && !flow);
    if (!job->with_loggops && !o->on)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "give a platform with --on, or --loggops");
    if (o->loggops) return read_loggops(o->loggops, &job->loggops, error);
    return PARCAST_OK;
}

parcast_status replay_job_read(struct replay_job *job, parcast_error *error)
{
    const struct replay_request *o = job->given;
    parcast_status status = choose_network(job, error);
    if (!status) status = read_run(o->run, &job->run, error);
    if (!status) status = read_ratio("--scale-speed", o->speed, &job->how.scale_speed_ratio, error);
    if (!status) status = read_ratio("--scale-latency", o->latency, &job->how.scale_latency_ratio, error);
    if (!status)
        status = read_ratio("--scale-bandwidth", o->bandwidth, &job->how.scale_bandwidth_ratio, error);
    for (char **text = o->algorithms; text && *text && !status; text++)
        status = read_algorithm(job, *text, error);
    job->how.collectives = o->collectives;
    job->how.ideal_network = o->ideal;
    job->how.critical_path = true;
    job->how.matrix = o->matrix;
    if (!status) status = drawing_read(&job->drawing, &o->drawing, error);
    return status;
}

static parcast_status read_platform(struct replay_job *job, parcast_error *error)
{
    if (!job->given->on && job->given->network && !job->given->loggops)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "--network loggops needs --loggops, or a platform that has it");
    if (!job->given->on) return PARCAST_OK;
    parcast_status status = parcast_platform_load(job->given->on, &job->platform, error);
    if (status || !job->with_loggops || job->given->loggops) return status;
    if (!job->platform->network.loggops.given) {
        parcast_error_set(error, PARCAST_DATA, job->given->on, 0, "key 'loggops' is missing in network");
        parcast_error_hint(error,
                           "network: {loggops: {L: 2.5 us, o: 1.5 us, g: 1 us, G: 6 ns}}, or --loggops");
        return PARCAST_DATA;
    }
    platform_loggops(job);
    return PARCAST_OK;
}

/* The what-ifs on LogGOPS: latency is L, bandwidth is 1/G; the CPU's times stay. */
static void scale_loggops(struct replay_job *job)
{
    if (job->how.scale_latency_ratio > 0) job->loggops.L_s *= job->how.scale_latency_ratio;
    if (job->how.scale_bandwidth_ratio > 0) job->loggops.G_s_per_byte /= job->how.scale_bandwidth_ratio;
    if (job->how.ideal_network) job->loggops = (parcast_loggops){.S_bytes = job->loggops.S_bytes};
}

parcast_status replay_job_platform(struct replay_job *job, parcast_error *error)
{
    parcast_status status = read_platform(job, error);
    if (!status) scale_loggops(job);
    return status;
}
