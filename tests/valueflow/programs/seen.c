/* What a unit keeps for itself and others come to through what they see: run as it is, it is all one. */
#include <stdio.h>

struct entry {
    const char *name;
    int (*next)(void);
    double *values;
    struct entry *other;
};

static int level = 30, calls = 3;
static double zeros[10];
static struct entry first;

static int next(void)
{
    return calls++;
}

static struct entry second = {"second", next, &zeros[3], &first};
static struct entry first = {"first", next, zeros, &second};
struct entry *const head = &first;
int *where = &level;

int main(void)
{
    level = 7;
    zeros[3] = 2;
    second.name = "changed";
    head->next();
    calls += 10;
    printf("%d %d %d %g %s\n", *where, calls, head->next == next, *head->other->values, head->other->name);
    return 0;
}
