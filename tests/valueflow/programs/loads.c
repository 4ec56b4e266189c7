/* A program without a marker that loads a library with one, and lets go of it before it ends. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 1000 };

static double before[WORDS];

int main(int argc, char **argv)
{
    for (int i = 1; i < WORDS; i++) before[i] += before[i - 1] * 0.5 + 1;
    void *library = argc == 2 ? dlopen("./libloaded.so", RTLD_NOW) : NULL;
    void (*run)(int) = library ? (void (*)(int))dlsym(library, "loaded_run") : NULL;
    if (!run) return 1;
    run(atoi(argv[1]));
    printf("%g\n", before[5]);
    return dlclose(library) ? 1 : 0;
}
