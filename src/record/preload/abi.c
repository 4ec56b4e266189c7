#include "abi.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct abi abi;

/* Where the library was opened with local scope (a plug-in of Python), only its user's dependencies lead to
 * it. */
static void *in_dependencies_of(const char *name, const void *caller)
{
    Dl_info info;
    if (!caller || !dladdr(caller, &info) || !info.dli_fname) return NULL;
    void *module = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (!module) return NULL;
    void *symbol = dlsym(module, name);
    dlclose(module);
    return symbol;
}

void *abi_symbol(const char *name, const void *caller)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    return symbol ? symbol : in_dependencies_of(name, caller);
}

/* Variables are searched from the program on: it may hold the copy that everybody uses. */
static void *variable(const char *name, const void *caller)
{
    void *symbol = dlsym(RTLD_DEFAULT, name);
    return symbol ? symbol : in_dependencies_of(name, caller);
}

static word address(const char *name, const void *caller)
{
    return (word)variable(name, caller);
}

static word pointed_to(const char *name, const void *caller)
{
    const word *pointer = variable(name, caller);
    return pointer ? *pointer : 0;
}

static void fill_mpich(const void *caller)
{
    abi.handle_bytes = 4;
    abi.status_bytes = 20;
    abi.status_source = 8;
    abi.any_source = -2;
    abi.proc_null = -1;
    abi.root = -3;
    abi.undefined = -32766;
    abi.type_shared = 1;
    abi.thread_multiple = 3;
    abi.topo_graph = 1;
    abi.topo_cart = 2;
    abi.topo_dist_graph = 3;
    abi.comm_world = 0x44000000;
    abi.comm_self = 0x44000001;
    abi.comm_null = 0x04000000;
    abi.byte = 0x4c00010d;
    abi.info_null = 0x1c000000;
    abi.request_null = 0x2c000000;
    abi.in_place = (word)-1;
    abi.status_ignore = 1;
    word common = address("mpipriv1_", caller); /* MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE */
    abi.f_in_place = common ? common + 4 : 0;
    abi.f08_in_place = address("MPIR_F08_MPI_IN_PLACE", caller);
    abi.f08_status_ignore = pointed_to("MPI_F08_STATUS_IGNORE", caller);
    abi.f08_statuses_ignore = pointed_to("MPI_F08_STATUSES_IGNORE", caller);
}

static void fill_openmpi(const void *caller)
{
    abi.handle_bytes = 8;
    abi.status_bytes = 24;
    abi.status_source = 0;
    abi.any_source = -1;
    abi.proc_null = -2;
    abi.root = -4;
    abi.undefined = -32766;
    abi.type_shared = 0;
    abi.thread_multiple = 3;
    abi.topo_cart = 1;
    abi.topo_graph = 2;
    abi.topo_dist_graph = 3;
    abi.comm_world = address("ompi_mpi_comm_world", caller);
    abi.comm_self = address("ompi_mpi_comm_self", caller);
    abi.comm_null = address("ompi_mpi_comm_null", caller);
    abi.byte = address("ompi_mpi_byte", caller);
    abi.info_null = address("ompi_mpi_info_null", caller);
    abi.request_null = address("ompi_request_null", caller);
    abi.in_place = 1;
    abi.status_ignore = 0;
    abi.f_in_place = abi.f08_in_place = address("mpi_fortran_in_place_", caller);
    abi.f08_status_ignore = address("mpi_fortran_status_ignore_", caller);
    abi.f08_statuses_ignore = address("mpi_fortran_statuses_ignore_", caller);
}

static const struct {
    const char *text, *name;
    abi_kind kind;
} libraries[] = {
    {"Open MPI", "Open MPI", ABI_OPENMPI}, {"Intel(R) MPI", "Intel MPI", ABI_MPICH},
    {"MVAPICH", "MVAPICH", ABI_MPICH},     {"CRAY MPICH", "Cray MPICH", ABI_MPICH},
    {"MPICH", "MPICH", ABI_MPICH},
};

static void name_library(const char *text)
{
    snprintf(abi.name, sizeof abi.name, "unknown");
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        if (!strstr(text, libraries[i].text)) continue;
        abi.kind = libraries[i].kind;
        snprintf(abi.name, sizeof abi.name, "%s", libraries[i].name);
        break;
    }
    size_t end = strcspn(text, "\n");
    snprintf(abi.text, sizeof abi.text, "%.*s", (int)(end < sizeof abi.text ? end : sizeof abi.text - 1),
             text);
    for (char *c = abi.text; *c; c++)
        if (*c == '\t') *c = ' ';
    const char *digit = text;
    while (*digit && !(isdigit((unsigned char)digit[0]) && digit[1] == '.')) digit++;
    size_t length = strspn(digit, "0123456789.abrc");
    snprintf(abi.version, sizeof abi.version, "%.*s", (int)(length < 31 ? length : 31), digit);
}

/* The standard ABI of MPI-5 has other constants. The symbol alone proves nothing: libraries export it that do
 * not speak it. */
static bool speaks_standard_abi(const void *caller)
{
    int (*get_version)(int *, int *) = (int (*)(int *, int *))abi_symbol("PMPI_Abi_get_version", caller);
    int major = -1, minor = -1;
    return get_version && get_version(&major, &minor) == 0 && major >= 1;
}

/* Where Fortran's handles are C's, the conversions are macros: the library need not have them. */
static bool find_functions(const void *caller)
{
    bool all = true;
#define ABI_FIND(name) all = (abi.name = abi_symbol("PMPI_" #name, caller)) && all;
    ABI_FUNCTIONS(ABI_FIND)
    if (abi.kind != ABI_OPENMPI) return all;
    ABI_CONVERSIONS(ABI_FIND)
#undef ABI_FIND
    return all;
}

bool abi_detect(const void *caller)
{
    static char text[16384]; /* MPICH writes up to 8192 characters */
    int length = 0;
    snprintf(abi.name, sizeof abi.name, "unknown");
    int (*get_text)(char *, int *) = (int (*)(char *, int *))abi_symbol("PMPI_Get_library_version", caller);
    if (get_text && get_text(text, &length) == 0) name_library(text);
    if (abi.kind == ABI_UNKNOWN || speaks_standard_abi(caller) || !find_functions(caller)) {
        abi.kind = ABI_UNKNOWN;
        return false;
    }
    if (abi.kind == ABI_MPICH)
        fill_mpich(caller);
    else
        fill_openmpi(caller);
    abi.f_status_ignore = pointed_to("MPI_F_STATUS_IGNORE", caller);
    abi.f_statuses_ignore = pointed_to("MPI_F_STATUSES_IGNORE", caller);
    return true;
}
