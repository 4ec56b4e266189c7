/* An MPI program that ends as it is told: `behave WAY [ARGUMENT]`, for the tests of `parcast record`. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 10 };

static int rank, n_ranks;

/* Ten barriers, and 1000 bytes to the right in each round. */
static void work(void)
{
    char out[1000] = {0}, in[1000];
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Sendrecv(out, sizeof out, MPI_CHAR, (rank + 1) % n_ranks, 0, in, sizeof in, MPI_CHAR,
                     (rank + n_ranks - 1) % n_ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void touch(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) abort();
    fclose(file);
}

static void copy_input(void)
{
    for (int c = getchar(); c != EOF; c = getchar()) putchar(c);
    fflush(stdout);
}

/* Until the disk is full. */
static void fill(const char *path)
{
    static char block[4096];
    FILE *file = fopen(path, "w");
    if (!file) abort();
    setvbuf(file, NULL, _IONBF, 0);
    while (fwrite(block, 1, sizeof block, file) == sizeof block) continue;
    fclose(file);
}

static void hang(const char *path)
{
    if (rank == 0) touch(path);
    for (;;) usleep(10000);
}

/* Until a file that is called so, with .open behind it, is there. */
static void wait_at_gate(const char *path)
{
    char open[4096];
    snprintf(open, sizeof open, "%s.open", path);
    if (rank == 0) touch(path);
    while (access(open, F_OK) != 0) usleep(10000);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "work", *argument = argc > 2 ? argv[2] : "0";
    if (strcmp(way, "mark") == 0) touch(argument);
    if (strcmp(way, "early") == 0) return atoi(argument);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    work();
    if (strcmp(way, "segv") == 0 && rank == 0) raise(SIGSEGV);
    if (strcmp(way, "kill") == 0 && rank == 0) raise(SIGKILL);
    if (strcmp(way, "exit") == 0) exit(atoi(argument));
    if (strcmp(way, "abort") == 0 && rank == 0) MPI_Abort(MPI_COMM_WORLD, atoi(argument));
    if (strcmp(way, "hang") == 0) hang(argument);
    if (strcmp(way, "gate") == 0) wait_at_gate(argument);
    if (strcmp(way, "input") == 0 && rank == 0) copy_input();
    if (strcmp(way, "fill") == 0 && rank == 0) fill(argument);
    if (strcmp(way, "only-two") == 0 && n_ranks == 2) {
        MPI_Finalize();
        return 3;
    }
    if (rank == 0) printf("done %s\n", way);
    MPI_Finalize();
    return strcmp(way, "return") == 0 ? atoi(argument) : 0;
}
