/* Preloaded into a rank: at every MPI_Wtime the program has, by the wall clock, computed four times as long
   as it did. Works with any MPI: both sides of the call are looked up by name. */
#include <dlfcn.h>
#include <time.h>

double MPI_Wtime(void);

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_until(double wall_s)
{
    struct timespec due = {.tv_sec = (time_t)wall_s};
    due.tv_nsec = (long)((wall_s - (double)due.tv_sec) * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) != 0) continue;
}

double MPI_Wtime(void)
{
    static double last_cpu_s, last_wall_s;
    double (*real)(void);
    *(void **)&real = dlsym(RTLD_DEFAULT, "PMPI_Wtime");
    double cpu_s = seconds_of(CLOCK_THREAD_CPUTIME_ID), wall_s = seconds_of(CLOCK_MONOTONIC);
    double due_s = last_wall_s + 4 * (cpu_s - last_cpu_s);
    if (last_wall_s > 0 && due_s > wall_s) sleep_until(due_s);
    double result = real();
    last_cpu_s = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    last_wall_s = seconds_of(CLOCK_MONOTONIC);
    return result;
}
