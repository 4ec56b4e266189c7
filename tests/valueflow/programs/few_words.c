/* Many steps over few words: until their array is known for one, the first step's values have other homes. */
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 64 };
static double now[WORDS], next[WORDS];

int main(int argc, char **argv)
{
    long steps = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
    for (int i = 0; i < WORDS; i++) now[i] = i * i;
    for (long s = 0; s < steps; s++) {
        for (int i = 1; i < WORDS - 1; i++) next[i] = 0.5 * (now[i - 1] + now[i + 1]);
        for (int i = 1; i < WORDS - 1; i++) now[i] = next[i];
    }
    printf("%g\n", now[1]);
    return 0;
}
