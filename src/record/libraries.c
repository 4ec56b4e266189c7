/* Which MPI library a program needs: the dynamic loader knows best, with all its search paths. */
#include <stdlib.h>
#include <string.h>

#include "record/internal.h"

const char *parcast_mpi_family_name(parcast_mpi_family family)
{
    switch (family) {
    case PARCAST_MPI_OPENMPI:
        return "Open MPI";
    case PARCAST_MPI_MPICH:
        return "MPICH";
    default:
        return "unknown";
    }
}

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The C library of an MPI, under the names that the families give it; not its Fortran and C++ parts. */
static bool is_mpi_library(const char *soname)
{
    static const char *const names[] = {"libmpi.so",       "libmpich.so",   "libmpi_cray.so", "libmpi_gnu",
                                        "libmpi_intel.so", "libmpi_abi.so", "libmpi_nvidia"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (begins(soname, names[i])) return true;
    return false;
}

/* A line is "\tlibmpi.so.40 => /lib/libmpi.so.40 (0x7f...)", "\tlibx.so => not found" or "\t/lib/ld.so
 * (0x...)". */
struct listed {
    char soname[256], path[1024];
};

static const char *next_listed(const char *text, struct listed *line)
{
    text += strspn(text, " \t\n");
    if (!*text) return NULL;
    size_t length = strcspn(text, " \n");
    memset(line, 0, sizeof *line);
    if (length < sizeof line->soname) memcpy(line->soname, text, length);
    const char *end = text + strcspn(text, "\n");
    const char *arrow = strstr(text, " => ");
    if (arrow && arrow < end && arrow[4] == '/') {
        length = strcspn(arrow + 4, " \n");
        if (length < sizeof line->path) memcpy(line->path, arrow + 4, length);
    }
    return end;
}

/* Open MPI's library stands on its own run-time libraries, whatever it is called. */
static parcast_mpi_family family_of(const char *soname, const char *list)
{
    if (strstr(list, "libopen-pal") || strstr(list, "libopen-rte")) return PARCAST_MPI_OPENMPI;
    if (begins(soname, "libmpi.so.40") || begins(soname, "libmpi.so.20")) return PARCAST_MPI_OPENMPI;
    return begins(soname, "libmpi_abi") ? PARCAST_MPI_UNKNOWN : PARCAST_MPI_MPICH;
}

parcast_status record_find_in_list(const char *list, char **library, parcast_mpi_family *family,
                                   parcast_error *error)
{
    struct listed line;
    *library = NULL;
    for (const char *at = next_listed(list, &line); at; at = next_listed(at, &line)) {
        if (!is_mpi_library(record_base_name(line.soname))) continue;
        *family = family_of(record_base_name(line.soname), list);
        return record_copy(line.path[0] ? line.path : line.soname, library, error);
    }
    return PARCAST_OK;
}

/* glibc's --list gives up at the first library that is missing; asked by the variable it names that one, too.
 */
static parcast_status list_libraries(const char *path, const char *loader, char **list, parcast_error *error)
{
    const char *const plain[] = {loader, "--list", path, NULL};
    const char *const thorough[] = {"/usr/bin/env", "LD_TRACE_LOADED_OBJECTS=1", loader, path, NULL};
    parcast_status status = record_capture(plain, list, error);
    if (!status && !*list && begins(record_base_name(loader), "ld-linux"))
        status = record_capture(thorough, list, error);
    return status;
}

parcast_status record_find_mpi(const char *path, const char *loader, char **library,
                               parcast_mpi_family *family, bool *is_elastic, parcast_error *error)
{
    record_file own;
    char *list = NULL;
    *library = NULL;
    *family = PARCAST_MPI_UNKNOWN;
    if (!loader[0]) {
        parcast_status status = record_file_read("/proc/self/exe", &own, error);
        if (status) return status;
        loader = own.interpreter;
    }
    parcast_status status = list_libraries(path, loader, &list, error);
    *is_elastic = list && strstr(list, "libparcast-elastic-");
    if (!status && list) status = record_find_in_list(list, library, family, error);
    free(list);
    return status;
}
