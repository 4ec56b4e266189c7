#include "compiler/cause.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

parcast_status cause_full_disk(const struct tools *tools, parcast_error *error)
{
    static const double little_bytes = 1 << 20;
    struct statvfs disk;
    if (statvfs(tools->scratch, &disk)) return PARCAST_OK;
    double left_bytes = (double)disk.f_bavail * (double)disk.f_frsize;
    bool has_no_files = disk.f_files > 0 && disk.f_favail == 0;
    if (left_bytes >= little_bytes && !has_no_files) return PARCAST_OK;
    int length = (int)(strrchr(tools->scratch, '/') - tools->scratch);
    parcast_error_set(error, PARCAST_IO, NULL, 0, "the disk of '%.*s' is full: %.0f KiB are left", length,
                      tools->scratch, left_bytes / 1024);
    parcast_error_hint(error, "TMPDIR names another folder for what lies between the steps");
    return PARCAST_IO;
}

/* Of a list of dependencies: what was found stands there with its folder. */
static bool lacks(const char *list, const char *header)
{
    char word[4096];
    bool found = false;
    FILE *in = fopen(list, "r");
    while (in && !found && fscanf(in, "%4095s", word) == 1) found = strcmp(word, header) == 0;
    if (in) fclose(in);
    return found;
}

parcast_status cause_no_openmp(const struct tools *tools, struct words *front, const char *source,
                               parcast_error *error)
{
    static const char header[] = "omp.h";
    int status;
    char *list = NULL;
    if (asprintf(&list, "%s/needed", tools->scratch) < 0) return PARCAST_OK;
    words_add(front, "-M"); /* headers that are not there are named, too */
    words_add(front, "-MG");
    words_add(front, "-MF");
    words_add(front, list);
    parcast_status result = PARCAST_OK;
    if (!tools_ask(front, &status, NULL) && lacks(list, header)) {
        result = parcast_error_set(error, PARCAST_NOT_FOUND, source, 0,
                                   "%s does not find OpenMP's header '%s'", tools->compiler, header);
        parcast_error_hint(error, "install it (Debian: libomp-19-dev)");
    }
    free(list);
    return result;
}
