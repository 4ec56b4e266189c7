/* The table of watched functions against the mpi.h of every installed MPI: names, numbers of arguments,
 * completeness. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/preload/call.h"

struct abi abi;

enum { MOST = 2000 };
struct prototype {
    char name[64];
    int words;
};
struct header {
    struct prototype list[MOST];
    size_t n;
};

static const char *const compilers[] = {MPICC_MPICH, MPICC_OPENMPI};

/* Number of arguments of the prototype whose opening bracket is at text. */
static int count_arguments(const char *text)
{
    int depth = 0, commas = 0;
    bool any = false;
    for (const char *c = text; *c; c++) {
        if (*c == '(' && depth++ == 0) continue;
        if (*c == ')' && --depth == 0) break;
        if (*c == ',' && depth == 1) commas++;
        any = any || (!isspace((unsigned char)*c) && strncmp(c, "void)", 5) != 0 &&
                      strncmp(c, "oid)", 4) != 0 && strncmp(c, "id)", 3) != 0 && strncmp(c, "d)", 2) != 0);
    }
    return any ? commas + 1 : 0;
}

static void add_prototypes(struct header *h, char *text)
{
    for (char *c = text; (c = strstr(c, "MPI_")); c++) {
        const char *before = c;
        while (before > text && isspace((unsigned char)before[-1])) before--;
        if (before == c || before - text < 3 || strncmp(before - 3, "int", 3) != 0) continue;
        size_t length = strspn(c, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
        const char *open = c + length + strspn(c + length, " \t\n");
        if (*open != '(' || length - 4 >= sizeof h->list[0].name || h->n == MOST) continue;
        struct prototype *p = &h->list[h->n++];
        snprintf(p->name, sizeof p->name, "%.*s", (int)(length - 4), c + 4);
        p->words = count_arguments(open);
    }
}

static bool read_header(const char *compiler, struct header *h)
{
    char command[512];
    static char text[4 << 20];
    h->n = 0;
    if (!strstr(compiler, "mpicc")) return false;
    snprintf(command, sizeof command, "echo '#include <mpi.h>' | %s -E -P -x c -", compiler);
    FILE *pipe = popen(command, "r"); /* NOLINT(cert-env33-c) */
    assert_non_null(pipe);
    size_t n = fread(text, 1, sizeof text - 1, pipe);
    text[n] = '\0';
    assert_int_equal(pclose(pipe), 0);
    add_prototypes(h, text);
    assert_true(h->n > 300);
    return true;
}

static const struct prototype *find(const struct header *h, const char *name)
{
    for (size_t i = 0; i < h->n; i++)
        if (strcmp(h->list[i].name, name) == 0) return &h->list[i];
    return NULL;
}

static const struct function *watched(const char *name)
{
    for (size_t i = 0; i < N_FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0) return &functions[i];
    return NULL;
}

static void numbers_of_arguments_are_those_of_the_headers(void **state)
{
    static struct header h;
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        if (!read_header(compilers[k], &h)) continue;
        size_t compared = 0;
        for (size_t i = 0; i < N_FUNCTIONS; i++) {
            const struct prototype *p = find(&h, functions[i].name);
            if (!p || i == ID_Pcontrol) continue;
            compared++;
            if (p->words != functions[i].words_c)
                fail_msg("MPI_%s has %d arguments, the table says %d", p->name, p->words,
                         functions[i].words_c);
        }
        assert_true(compared > 150);
    }
}

static void every_function_of_the_table_exists_in_mpich(void **state)
{
    static struct header h;
    (void)state;
    if (!read_header(compilers[0], &h)) skip();
    for (size_t i = 0; i < N_FUNCTIONS; i++)
        if (!find(&h, functions[i].name)) fail_msg("no header declares MPI_%s", functions[i].name);
}

/* Local by the standard: they neither communicate nor wait, nor make communicators, nor move data of files or
 * windows. */
static const char *const local[] = {
    "Abi_",
    "Add_error",
    "Address",
    "Aint_",
    "Alloc_mem",
    "Attr_",
    "Buffer_",
    "Cart_coords",
    "Cart_get",
    "Cart_map",
    "Cart_rank",
    "Cart_shift",
    "Cartdim_get",
    "Close_port",
    "Comm_c2f",
    "Comm_call_errhandler",
    "Comm_compare",
    "Comm_create_errhandler",
    "Comm_create_keyval",
    "Comm_delete_attr",
    "Comm_f2c",
    "Comm_free_keyval",
    "Comm_get_",
    "Comm_group",
    "Comm_rank",
    "Comm_remote_",
    "Comm_set_",
    "Comm_size",
    "Comm_test_inter",
    "DUP_FN",
    "Dims_create",
    "Dist_graph_neighbors",
    "Err",
    "File_c2f",
    "File_call_errhandler",
    "File_create_errhandler",
    "File_f2c",
    "File_get_",
    "File_set_errhandler",
    "File_set_info",
    "Finalized",
    "Free_mem",
    "Get_address",
    "Get_count",
    "Get_elements",
    "Get_library",
    "Get_processor",
    "Get_version",
    "Graph_get",
    "Graph_map",
    "Graph_neighbors",
    "Graphdims_get",
    "Grequest_",
    "Group_",
    "Info_",
    "Initialized",
    "Is_thread_main",
    "Keyval_",
    "Lookup_name",
    "Message_c2f",
    "Message_f2c",
    "Op_",
    "Open_port",
    "Pack",
    "Pcontrol",
    "Publish_name",
    "Query_thread",
    "Reduce_local",
    "Register_datarep",
    "Request_c2f",
    "Request_f2c",
    "Session_",
    "Status_",
    "T_",
    "Test_cancelled",
    "Topo_test",
    "Type_",
    "Unpack",
    "Unpublish_name",
    "Win_c2f",
    "Win_call_errhandler",
    "Win_create_errhandler",
    "Win_create_keyval",
    "Win_delete_attr",
    "Win_f2c",
    "Win_free_keyval",
    "Win_get_",
    "Win_set_",
    "Win_shared_query",
    "Wtick",
    "Wtime",
    "NULL_",
    "CONVERSION_FN",
    "COMM_",
    "TYPE_",
    "WIN_",
};

static bool is_local(const char *name)
{
    for (size_t i = 0; i < sizeof local / sizeof local[0]; i++)
        if (strncmp(name, local[i], strlen(local[i])) == 0) return true;
    return false;
}

/* Functions only: a macro or a type name with a bracket behind it is no call. */
static bool is_function(const char *name)
{
    return isupper((unsigned char)name[0]) && islower((unsigned char)name[1]) && !strstr(name, "_function") &&
           !strstr(name, "_fn");
}

static void every_function_that_communicates_is_watched(void **state)
{
    static struct header h;
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        if (!read_header(compilers[k], &h)) continue;
        for (size_t i = 0; i < h.n; i++) {
            char name[64];
            snprintf(name, sizeof name, "%s", h.list[i].name);
            size_t length = strlen(name);
            if (length > 2 && strcmp(name + length - 2, "_c") == 0) name[length - 2] = '\0';
            if (is_function(name) && !is_local(name) && !watched(name))
                fail_msg("MPI_%s is not watched", name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_arguments_are_those_of_the_headers),
        cmocka_unit_test(every_function_of_the_table_exists_in_mpich),
        cmocka_unit_test(every_function_that_communicates_is_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
