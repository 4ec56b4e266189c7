#include "call.h"

#define CALL(its_name, lower, upper, c_words, f_words, its_kind, ...)                                        \
    [ID_##its_name] = {.name = #its_name,                                                                    \
                       .id = ID_##its_name,                                                                  \
                       .words_c = c_words,                                                                   \
                       .words_f = f_words,                                                                   \
                       .kind = KIND_##its_kind,                                                              \
                       ##__VA_ARGS__},
#define CALL_LARGE      CALL
#define CALL_PERSISTENT CALL
const struct function functions[N_FUNCTIONS] = {
#include "functions.def"
    [ID_Pcontrol] =
        {.name = "Pcontrol", .id = ID_Pcontrol, .words_c = 1, .words_f = 1, .kind = KIND_PCONTROL},
};

bool call_in_place(const struct call *c, unsigned position)
{
    if (!position) return false;
    word buffer = call_argument(c, position);
    if (!(c->binding & FORTRAN)) return buffer == abi.in_place;
    if ((c->binding & DESCRIPTORS))
        return buffer && *(const word *)buffer == abi.f08_in_place && abi.f08_in_place;
    return buffer && (buffer == abi.f_in_place || buffer == abi.f08_in_place);
}

bool call_ignores_fortran_status(const struct call *c)
{
    word status = call_argument(c, c->f->status);
    if (!status) return true;
    if (c->f->kind == KIND_WAITALL || c->f->kind == KIND_WAITSOME)
        return status == abi.f_statuses_ignore || status == abi.f08_statuses_ignore;
    return status == abi.f_status_ignore || status == abi.f08_status_ignore;
}
