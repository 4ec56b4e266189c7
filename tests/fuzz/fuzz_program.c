/* Any bytes are a program that `parcast record` is given, what a dynamic loader lists, and lines of a script:
 * headers, libraries and words are found in them or not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "record/internal.h"

static void require(int condition)
{
    if (!condition) abort();
}

static void read_headers(const uint8_t *data, size_t size)
{
    char path[64];
    record_file found;
    int file = memfd_create("program", MFD_CLOEXEC);
    require(file >= 0);
    require(write(file, data, size) == (ssize_t)size);
    require(snprintf(path, sizeof path, "/proc/self/fd/%d", file) > 0);
    require(record_file_read(path, &found, NULL) == PARCAST_OK);
    require(memchr(found.interpreter, '\0', sizeof found.interpreter) != NULL);
    require(memchr(found.machine, '\0', sizeof found.machine) != NULL);
    require(!found.foreign || (found.kind == RECORD_FILE_ELF && found.machine[0]));
    require(!found.is_static || (!found.foreign && !found.interpreter[0]));
    close(file);
}

static void find_library(const char *list)
{
    char *library = NULL;
    parcast_mpi_family family = PARCAST_MPI_UNKNOWN;
    require(record_find_in_list(list, &library, &family, NULL) == PARCAST_OK);
    require(!library || (library[0] && !strpbrk(library, " \n")));
    free(library);
}

static void find_words(char *line)
{
    size_t length;
    for (char *word = line; (word = record_next_word(line, word, &length)); word += length) {
        require(length > 0 && memchr(word, '\0', length) == NULL);
        for (size_t i = 0; i < length; i++) require(!strchr(" \t\r\n\"'`;&|()<>{}$=,#", word[i]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    read_headers(data, size);
    find_library(text);
    for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) find_words(line);
    free(text);
    return 0;
}
