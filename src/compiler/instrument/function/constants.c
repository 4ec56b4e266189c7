/*
 * The states of a decoder, say, meet at forty places in forty choices each, whose alternatives are all the
 * others: of ways through them there are more than can be walked, of choices but a few thousand. So each is
 * looked at once, those that are nearest first: what is few steps away is found however it is come to. And
 * what is found does not change while conditions are taken, so it is kept.
 */
#include "compiler/instrument/function/constants.h"

#include <stdlib.h>

enum { MOST_STEPS = 6 };

/* Nodes in the order in which they were come to. */
struct search {
    int *node, *steps, n; /* [n_nodes] */
    bool *seen;           /* [n_nodes] */
};

static struct search begin(const struct function *f, int from)
{
    size_t n = (size_t)f->n_nodes;
    struct search s = {take(n, sizeof(int)), take(n, sizeof(int)), 1, take(n, sizeof(bool))};
    s.node[0] = from;
    s.seen[from] = true;
    return s;
}

static void end(struct search *s)
{
    free(s->node);
    free(s->steps);
    free(s->seen);
}

static void come_to(struct search *s, int i, int steps)
{
    if (i < 0 || s->seen[i]) return;
    s->seen[i] = true;
    s->steps[s->n] = steps;
    s->node[s->n++] = i;
}

static bool is_truth_as_number(LLVMValueRef value)
{
    if (!LLVMIsAZExtInst(value) && !LLVMIsASExtInst(value) && !LLVMIsAUIToFPInst(value)) return false;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(value, 0));
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

static bool is_choice(const struct function *f, int i)
{
    const struct node *node = &f->nodes[i];
    return (node->kind == NODE_SELECT || node->kind == NODE_PHI) && condition_of(f, node);
}

/* The alternatives of a choice; returns how many constants there are by then. */
static int count_at(const struct function *f, struct search *s, int at, LLVMValueRef *one)
{
    struct use *uses = take(MOST_USES, sizeof *uses);
    int n_uses = data_uses(f, s->node[at], uses), n = *one ? 1 : 0;
    for (int j = 0; j < n_uses && n < 2; j++) {
        LLVMValueRef value = uses[j].value;
        if (is_truth_as_number(value)) {
            n = 2;
        } else if (!LLVMIsAConstant(value)) {
            if (s->steps[at] + 1 < MOST_STEPS) come_to(s, node_of(f, value), s->steps[at] + 1);
        } else if (!LLVMIsUndef(value) && value != *one) {
            if (!*one) *one = value;
            n++;
        }
    }
    free(uses);
    return n;
}

static int count(const struct function *f, int choice)
{
    if (!is_choice(f, choice)) return 0;
    struct search s = begin(f, choice);
    LLVMValueRef one = NULL;
    int n = 0;
    for (int at = 0; at < s.n && n < 2; at++)
        if (is_choice(f, s.node[at])) n = count_at(f, &s, at, &one);
    end(&s);
    return n;
}

int constants_among(const struct function *f, int choice)
{
    int *known = &f->nodes[choice].constants;
    if (*known < 0) *known = count(f, choice);
    return *known;
}

bool constants_differ(const struct function *f, int choice)
{
    struct search s = begin(f, choice);
    bool found = false;
    for (int at = 0; at < s.n && !found; at++) {
        LLVMValueRef value = f->nodes[s.node[at]].value;
        found = constants_among(f, s.node[at]) >= 2;
        if (s.steps[at] == MOST_STEPS) continue;
        for (LLVMUseRef use = LLVMGetFirstUse(value); use && !found; use = LLVMGetNextUse(use)) {
            int user = node_of(f, LLVMGetUser(use));
            LLVMValueRef condition = user < 0 ? NULL : condition_of(f, &f->nodes[user]);
            if (condition && condition != value) come_to(&s, user, s.steps[at] + 1);
        }
    }
    end(&s);
    return found;
}
