#include "preload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/raw.h"

static const struct {
    const char *name, *mpiexec;
} mpis[N_MPIS] = {{"mpich", MPIEXEC_MPICH}, {"openmpi", MPIEXEC_OPENMPI}};

const char *mpi_name(int mpi)
{
    return mpis[mpi].name;
}

void need_program(int mpi, const char *program)
{
    char path[1024];
    if (strstr(mpis[mpi].mpiexec, "mpiexec") == NULL && strstr(mpis[mpi].mpiexec, "mpirun") == NULL) {
        print_message("no %s on this machine\n", mpis[mpi].name);
        skip();
    }
    snprintf(path, sizeof path, PROGRAMS "/%s.%s", program, mpis[mpi].name);
    if (access(path, X_OK) != 0) fail_msg("%s is not built", path);
}

static void expand(char *out, size_t size, const char *arguments, int mpi)
{
    size_t n = 0;
    for (const char *c = arguments; *c; c++) {
        char one[2] = {*c, '\0'}, suffix[16];
        snprintf(suffix, sizeof suffix, ".%s", mpis[mpi].name);
        const char *text = *c == '@' ? PROGRAMS "/" : *c == '%' ? suffix : one;
        int more = snprintf(out + n, size - n, "%s", text);
        assert_true(more >= 0 && (size_t)more < size - n);
        n += (size_t)more;
    }
}

void run_recorded(struct record *r, int mpi, const char *environment, const char *arguments)
{
    char expanded[4096], command[8192];
    memset(r, 0, sizeof *r);
    snprintf(r->directory, sizeof r->directory, "/tmp/parcast-preload-XXXXXX");
    assert_non_null(mkdtemp(r->directory));
    expand(expanded, sizeof expanded, arguments, mpi);
    /* A list of libraries in the environment before comes first, as `record` does it. */
    snprintf(command, sizeof command,
             "cd %s && env PARCAST_RECORD_DIR=%s LD_PRELOAD=" PRELOAD " %s timeout 120 %s %s 2>&1",
             r->directory, r->directory, environment, mpis[mpi].mpiexec, expanded);
    FILE *pipe = popen(command, "r"); /* NOLINT(cert-env33-c) */
    assert_non_null(pipe);
    size_t n = fread(r->output, 1, sizeof r->output - 1, pipe);
    r->output[n] = '\0';
    int status = pclose(pipe);
    r->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    parcast_error error;
    if (parcast_raw_read_directory(r->directory, &r->profiles, &r->n, &error))
        fail_msg("%s: %s\n%s", error.source, error.text, r->output);
}

void free_record(struct record *r)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s", r->directory);
    parcast_profiles_destroy(&r->profiles, r->n);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
}

const parcast_rank_profile *rank_of(const struct record *r, int rank)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->profiles[i].world_id == r->profiles[0].world_id && r->profiles[i].rank == rank)
            return &r->profiles[i];
    fail_msg("no profile of rank %d among %zu:\n%s", rank, r->n, r->output);
    return NULL;
}

static const parcast_profile_call *call_of(const parcast_rank_profile *p, const char *name)
{
    for (size_t i = 0; i < p->n_calls; i++)
        if (strcmp(p->calls[i].name, name) == 0) return &p->calls[i];
    return NULL;
}

uint64_t calls_of(const parcast_rank_profile *p, const char *name)
{
    const parcast_profile_call *c = call_of(p, name);
    return c ? c->count : 0;
}

uint64_t bytes_of(const parcast_rank_profile *p, const char *name)
{
    const parcast_profile_call *c = call_of(p, name);
    return c ? c->bytes : 0;
}
