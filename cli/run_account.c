#include "run_account.h"

#include <math.h>

parcast_status account_open(const parcast_platform *platform, int max_nodes, int ranks_per_node,
                            struct account *account, parcast_error *error)
{
    const parcast_allocator_options options = {
        .platform = platform, .max_nodes = max_nodes, .ranks_per_node = ranks_per_node};
    *account = (struct account){0};
    return parcast_allocator_open("local", &options, &account->allocator, error);
}

void account_close(struct account *account)
{
    parcast_allocator_close(&account->allocator);
}

parcast_status account_hold(struct account *account, int n_nodes, parcast_error *error)
{
    parcast_allocator *allocator = account->allocator;
    parcast_status status = PARCAST_OK;
    if (!allocator || n_nodes < 1 || n_nodes == account->held) return PARCAST_OK;
    if (n_nodes > account->held)
        status = parcast_allocator_request(allocator, n_nodes, error);
    else
        status = parcast_allocator_release(allocator, n_nodes, error);
    if (!status) account->held = n_nodes;
    return status;
}

double account_cost(const struct account *account)
{
    return account->allocator ? parcast_allocator_cost(account->allocator) : NAN;
}
