/* Feeds every file of the given folders to a fuzz target once, in a build without libFuzzer. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { MAX_BYTES = 1 << 20 };

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(MAX_BYTES);
    if (!file || !bytes) {
        fprintf(stderr, "cannot read '%s': %s\n", path, strerror(errno));
        if (file) fclose(file);
        free(bytes);
        return -1;
    }
    size_t size = fread(bytes, 1, MAX_BYTES, file);
    fclose(file);
    uint8_t *exact = malloc(size ? size : 1); /* no slack behind the end: an overrun shows */
    if (exact) {
        memcpy(exact, bytes, size);
        LLVMFuzzerTestOneInput(exact, size);
    }
    free(bytes);
    free(exact);
    return exact ? 0 : -1;
}

static int replay_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    if (!directory) {
        fprintf(stderr, "cannot open '%s': %s\n", folder, strerror(errno));
        return -1;
    }
    int n_files = 0;
    for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        char path[4096];
        if (entry->d_name[0] == '.') continue;
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (length < 0 || (size_t)length >= sizeof path || replay_file(path) != 0) {
            n_files = -1;
            break;
        }
        n_files++;
    }
    closedir(directory);
    return n_files;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int n_files = replay_folder(argv[i]);
        if (n_files <= 0) {
            fprintf(stderr, "no corpus in '%s'\n", argv[i]);
            return 1;
        }
        printf("%s: %d inputs\n", argv[i], n_files);
    }
    return argc > 1 ? 0 : 1;
}
