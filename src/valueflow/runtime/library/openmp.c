/*
 * OpenMP's functions for a program that is looked at without threads, as its specification has them for one
 * thread. They are taken from the archive only where the program calls them and brings no library for them.
 * Fortran's names end in _.
 */
#include <time.h>

#define ANSWER(name, value)                                                                                  \
    int name(void);                                                                                          \
    int name(void)                                                                                           \
    {                                                                                                        \
        return value;                                                                                        \
    }                                                                                                        \
    int name##_(void);                                                                                       \
    int name##_(void)                                                                                        \
    {                                                                                                        \
        return value;                                                                                        \
    }
ANSWER(omp_get_num_threads, 1)
ANSWER(omp_get_max_threads, 1)
ANSWER(omp_get_thread_num, 0)
ANSWER(omp_get_num_procs, 1)
ANSWER(omp_in_parallel, 0)
ANSWER(omp_get_dynamic, 0)
ANSWER(omp_get_nested, 0)
ANSWER(omp_get_level, 0)
ANSWER(omp_get_active_level, 0)
ANSWER(omp_get_thread_limit, 1)
ANSWER(omp_get_num_teams, 1)
ANSWER(omp_get_team_num, 0)
ANSWER(omp_get_num_devices, 0)

/* How many threads there should be. */
#define WISH(name)                                                                                           \
    void name(int);                                                                                          \
    void name(int wish)                                                                                      \
    {                                                                                                        \
        (void)wish;                                                                                          \
    }                                                                                                        \
    void name##_(const int *);                                                                               \
    void name##_(const int *wish)                                                                            \
    {                                                                                                        \
        (void)wish;                                                                                          \
    }
WISH(omp_set_num_threads)
WISH(omp_set_dynamic)
WISH(omp_set_nested)

/* Nobody else wants a lock. */
#define LOCK(name)                                                                                           \
    void name(void *);                                                                                       \
    void name(void *lock)                                                                                    \
    {                                                                                                        \
        (void)lock;                                                                                          \
    }                                                                                                        \
    void name##_(void *);                                                                                    \
    void name##_(void *lock)                                                                                 \
    {                                                                                                        \
        (void)lock;                                                                                          \
    }
LOCK(omp_init_lock)
LOCK(omp_destroy_lock)
LOCK(omp_set_lock)
LOCK(omp_unset_lock)
LOCK(omp_init_nest_lock)
LOCK(omp_destroy_nest_lock)
LOCK(omp_set_nest_lock)
LOCK(omp_unset_nest_lock)

int omp_test_lock(void *);
int omp_test_lock(void *lock)
{
    (void)lock;
    return 1;
}

double omp_get_wtime(void);
double omp_get_wtime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double omp_get_wtime_(void);
double omp_get_wtime_(void)
{
    return omp_get_wtime();
}

double omp_get_wtick(void);
double omp_get_wtick(void)
{
    return 1e-9;
}
