#include "index.h"

/* Let the routine complete the second of two requests, a receive from nobody, and see what it calls that one.
 */
static int ask_library(const struct call *c)
{
    void *routine = c->next;
    uint32_t requests[2] = {(uint32_t)abi.request_null, 0};
    word request = 0;
    int two = 2, index = 0, other[2] = {0, 0}, error = 0;
    char status[64], statuses[2 * 64];
    PMPI(Irecv, (word)status, 0, abi.byte, (word)abi.proc_null, 0, abi.comm_world, (word)&request);
    requests[1] = (uint32_t)request;
    if (c->id == ID_Waitany) {
        abi_call(routine, 5,
                 (const word[]){(word)&two, (word)requests, (word)&index, (word)status, (word)&error});
    } else if (c->id == ID_Testany) {
        const word a[] = {(word)&two, (word)requests, (word)&index, (word)other, (word)status, (word)&error};
        abi_call(routine, 6, a);
    } else {
        const word a[] = {(word)&two,   (word)requests, (word)other,
                          (word)&index, (word)statuses, (word)&error};
        abi_call(routine, 6, a);
    }
    return index == 1 ? 0 : 1;
}

int index_base(const struct call *c)
{
    static int8_t known[N_FUNCTIONS]; /* base + 1; 0: not asked yet */
    if (!(c->binding & FORTRAN)) return 0;
    if (!(c->binding & MODULE_F08) || abi.kind != ABI_MPICH) return 1;
    if (!known[c->id]) known[c->id] = (int8_t)(ask_library(c) + 1);
    return known[c->id] - 1;
}
