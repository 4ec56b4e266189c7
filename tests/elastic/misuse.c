/*
 * A program with one mistake, named by its argument; see test_api.sh for what has to be said about it.
 *
 *   misuse MISTAKE       "none": two ranks or more run through, print "misuse: done" and exit with 0
 */
#include <mpi.h>
#include <parcast/elastic.h>
#include <stdio.h>
#include <string.h>

static const char *mistake;
static int rank;
static double x;

static int is(const char *name)
{
    return strcmp(mistake, name) == 0;
}

static const parcast_elastic_array *add(parcast_elastic *e, const char *name, int64_t size)
{
    return parcast_elastic_add(
        e, &(parcast_elastic_shape){.name = name,
                                    .element_bytes = sizeof(double),
                                    .n_dims = 1,
                                    .dims = {{.size = size, .kind = PARCAST_ELASTIC_BLOCK}}});
}

static void register_all(parcast_elastic *e)
{
    if (is("no-shape")) parcast_elastic_add(e, NULL);
    if (is("no-name")) add(e, NULL, 4);
    if (is("no-size")) add(e, "u", 0);
    if (is("too-large")) add(e, "u", INT64_C(1) << 61);
    add(e, "u", is("other-size") && rank == 1 ? 41 : 40);
    if (is("twice")) parcast_elastic_value(e, "u", &x, sizeof x);
    if (is("other-order") && rank == 1) parcast_elastic_value(e, "y", &x, sizeof x);
    parcast_elastic_value(e, "x", &x, sizeof x);
    if (is("one-more") && rank == 0) parcast_elastic_value(e, "y", &x, sizeof x);
    if (is("no-memory")) parcast_elastic_value(e, "z", NULL, sizeof x);
}

/* Between MPI_Init and MPI_Finalize. */
static parcast_elastic *run(parcast_elastic *e)
{
    register_all(e);
    if (is("point-first")) parcast_elastic_safe_point(e);
    int64_t k = parcast_elastic_first_iteration(e);
    if (is("late")) add(e, "v", 40);
    for (; k < 10; k++)
        if (parcast_elastic_safe_point(e) && !is("stays")) break;
    if (is("no-close") || is("unfinished")) return e;
    parcast_elastic_close(&e);
    parcast_elastic_close(&e); /* no mistake */
    parcast_elastic_close(NULL);
    return e;
}

int main(int argc, char **argv)
{
    parcast_elastic *e = NULL;
    mistake = argc > 1 ? argv[1] : "none";
    if (is("no-init")) parcast_elastic_open(MPI_COMM_WORLD, NULL);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (is("no-open")) parcast_elastic_safe_point(e);
    if (is("no-comm")) parcast_elastic_open(MPI_COMM_NULL, NULL);
    const parcast_elastic_options more = {.iterations = 20}; /* than there are */
    e = parcast_elastic_open(MPI_COMM_WORLD, is("unfinished") ? &more : NULL);
    if (is("open-twice")) parcast_elastic_open(MPI_COMM_WORLD, NULL);
    e = run(e);
    if (is("after-close")) parcast_elastic_safe_point(e);
    if (rank == 0) printf("misuse: done\n");
    MPI_Finalize();
    return 0;
}
