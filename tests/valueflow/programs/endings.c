/* A region that ends in the way that the argument names, in the sixth of its twenty steps; or a program that
 * does, behind it. */
#include <parcast/region.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 1000, STEPS = 20, LAST = 6 };

static void end(const char *how)
{
    volatile int *nowhere = (volatile int *)8;
    if (strcmp(how, "segv") == 0) *nowhere = 1;
    if (strcmp(how, "abort") == 0) abort();
    if (strcmp(how, "exit") == 0) exit(3);
    if (strcmp(how, "_exit") == 0) _exit(4);
    if (strcmp(how, "quick_exit") == 0) quick_exit(6);
    if (strcmp(how, "done") == 0) exit(0);
    if (strcmp(how, "kill") == 0) raise(SIGKILL);
    if (strcmp(how, "term") == 0) raise(SIGTERM);
    if (strcmp(how, "alarm") == 0) raise(SIGALRM);
    if (strcmp(how, "interrupt") == 0) kill(getppid(), SIGINT), pause();
    if (strcmp(how, "hangup") == 0) kill(getppid(), SIGHUP);
    if (strcmp(how, "clearenv") == 0) clearenv();
}

/* As in the midst of writing values: the file is begun. It waits for a signal that must not come. */
static void interrupt_writing(void)
{
    FILE *values = fopen(getenv("PARCAST_VALUES"), "w");
    if (!values) return;
    fputs("PCVALUES", values);
    fclose(values);
    kill(getppid(), SIGINT);
    usleep(200000);
}

int main(int argc, char **argv)
{
    double *a = malloc(WORDS * sizeof *a), *b = calloc(WORDS, sizeof *b);
    if (argc != 2 || !a || !b) return 2;
    for (int i = 0; i < WORDS; i++) a[i] = i;
    fprintf(stderr, "begins\n");
    parcast_region_begin();
    for (int step = 1; step <= STEPS; step++) {
        for (int i = 1; i < WORDS - 1; i++) b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < WORDS - 1; i++) a[i] = b[i];
        if (step == LAST) end(argv[1]);
    }
    parcast_region_end();
    printf("%g\n", a[5]);
    if (strcmp(argv[1], "behind") == 0) return 5;
    if (strcmp(argv[1], "writing") == 0) interrupt_writing();
    if (strcmp(argv[1], "exec") == 0) execlp("true", "true", NULL);
    free(a);
    free(b);
    return 0;
}
