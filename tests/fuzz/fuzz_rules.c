/* The reader of rules for collectives: what is accepted names an algorithm that the collective has, for sizes
 * that a call can have. */
#include <stdlib.h>

#include "fuzz.h"
#include "replay/rules.h"
#include "replay/schedules.h"

static void require(int condition)
{
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rules rules;
    parcast_error error = {0};
    if (rules_parse((const char *)data, size, "input", &rules, &error) != PARCAST_OK) {
        require(error.text[0] != '\0' && rules.n == 0 && !rules.rules);
        return 0;
    }
    for (size_t i = 0; i < rules.n; i++) {
        const struct rule *rule = &rules.rules[i];
        require((unsigned)rule->collective < PARCAST_COLLECTIVES);
        require(schedule_has(rule->collective, rule->algorithm, 2));
        require(rule->most_ranks >= 0 && rule->most_bytes >= 0 && rule->segment_bytes >= 0);
        const struct rule *found = rules_find(&rules, rule->collective, rule->most_ranks, rule->most_bytes);
        require(found && found <= rule);
    }
    rules_destroy(&rules);
    return 0;
}
