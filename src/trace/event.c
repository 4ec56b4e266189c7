/* Names of operations; the empty event. */
#include "parcast/trace.h"

const char *parcast_trace_op_name(parcast_trace_op op)
{
    switch (op) {
#define NAME_OF_OP(name, number, text)                                                                       \
    case PARCAST_TRACE_##name:                                                                               \
        return text;
        PARCAST_TRACE_OP_LIST(NAME_OF_OP)
#undef NAME_OF_OP
    default:
        return NULL;
    }
}

parcast_trace_op parcast_trace_op_of(uint64_t number)
{
    switch (number) {
#define OP_OF_NUMBER(name, its_number, text)                                                                 \
    case its_number:                                                                                         \
        return PARCAST_TRACE_##name;
        PARCAST_TRACE_OP_LIST(OP_OF_NUMBER)
#undef OP_OF_NUMBER
    default:
        return PARCAST_TRACE_OP_END;
    }
}

bool parcast_trace_op_is_collective(parcast_trace_op op)
{
    return op >= PARCAST_TRACE_BARRIER && op <= PARCAST_TRACE_NEIGHBOR_ALLTOALLW;
}

void parcast_trace_event_clear(parcast_trace_event *event, parcast_trace_op op)
{
    *event = (parcast_trace_event){.op = op,
                                   .function = PARCAST_TRACE_NONE,
                                   .site = PARCAST_TRACE_NONE,
                                   .request = PARCAST_TRACE_NONE,
                                   .new_comm = PARCAST_TRACE_NONE};
}
