#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amounts.h"
#include "cli.h"
#include "parcast/plan.h"
#include "parcast/units.h"
#include "run_schedule.h"
#include "study_runs.h"
#include "table.h"

static const int not_given = -1;

struct plan {
    struct cli_common common;
    char *on, *recorded_on, *deadline, *budget, *engine, *runs, *nodes, *state, *schedule;
    long long iterations;
    int elastic, ranks_per_node;
    const char *study_path;

    parcast_plan_goal goal;
    parcast_malleable_options options;
    parcast_course course;
    double state_bytes; /* NAN: not given */
    parcast_platform *platform, *recorded;
    struct cli_runs chosen;
    parcast_stretch *asked; /* [n_asked] --schedule */
    size_t n_asked;
};

/* ---- options ---- */

static parcast_status bad(parcast_error *error, const char *option, const char *text, const char *what)
{
    return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%s '%s' is no %s", option, text, what);
}

/* "4-16", or "8" for up to eight. */
static parcast_status read_nodes(struct plan *p, parcast_error *error)
{
    if (!p->nodes) return PARCAST_OK;
    char *end;
    long first = strtol(p->nodes, &end, 10), last = first;
    bool range = *end == '-';
    if (range) last = strtol(end + 1, &end, 10);
    if (end == p->nodes || *end || first < 1 || last < first || last > 10000000)
        return bad(error, "--nodes", p->nodes, "range of nodes such as 2-8");
    p->options.min_nodes = range ? (int)first : 0;
    p->options.max_nodes = (int)last;
    return PARCAST_OK;
}

/* "0:4,500:8", as for `run` */
static parcast_status read_schedule(struct plan *p, parcast_error *error)
{
    struct schedule schedule;
    if (!p->schedule) return PARCAST_OK;
    parcast_status status = schedule_read(p->schedule, &schedule, error);
    if (status) return status;
    p->asked = calloc(schedule.n, sizeof *p->asked);
    for (size_t i = 0; p->asked && i < schedule.n; i++)
        p->asked[i] = (parcast_stretch){.from_iteration = schedule.steps[i].iteration,
                                        .nodes = schedule.steps[i].nodes};
    p->n_asked = schedule.n;
    free(schedule.steps);
    if (p->asked) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a schedule");
}

static parcast_status read_options(struct plan *p, parcast_error *error)
{
    p->state_bytes = NAN;
    bool iterations = p->iterations != not_given, ranks = p->ranks_per_node != not_given;
    if ((iterations && p->iterations < 1) || (ranks && p->ranks_per_node < 1))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%s is a number from 1",
                                 iterations && p->iterations < 1 ? "--iterations" : "--ranks-per-node");
    p->options.ranks_per_node = ranks ? p->ranks_per_node : 0;
    parcast_status status = cli_read_goal(p->deadline, p->budget, &p->goal, error);
    if (!status) status = read_nodes(p, error);
    if (!status) status = read_schedule(p, error);
    if (!status && p->state) status = parcast_units_size(p->state, &p->state_bytes, error);
    return status;
}

static parcast_status read_platform(struct plan *p, parcast_error *error)
{
    p->options.other_machine = p->on != NULL;
    if (p->recorded_on && parcast_platform_load(p->recorded_on, &p->recorded, error)) return error->code;
    if (p->on) return parcast_platform_load(p->on, &p->platform, error);
    /* p->chosen is freed by release(), which the analyzer does not see. */
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    return parcast_platform_from_runs(p->chosen.runs, p->chosen.n_runs, 0, &p->platform, error);
}

/* ---- what the study tells about the course of a run ---- */

static parcast_status latest_elastic_run(const struct plan *p, char **json, parcast_error *error)
{
    parcast_study *study;
    parcast_status status = parcast_study_open(p->study_path, PARCAST_STUDY_READ, &study, error);
    if (status) return status;
    *json = cli_latest_elastic_run(study, p->chosen.problem_id);
    parcast_study_close(&study);
    return PARCAST_OK;
}

static parcast_status read_course(struct plan *p, parcast_error *error)
{
    char *json = NULL;
    parcast_status status = latest_elastic_run(p, &json, error);
    if (!status)
        status = parcast_course_read(p->chosen.runs, p->chosen.n_runs, json, p->platform, &p->course, error);
    free(json);
    if (status) return status;
    if (isfinite(p->state_bytes)) p->course.move.bytes = p->state_bytes;
    p->options.n_iterations = p->iterations != not_given ? p->iterations : p->course.n_iterations;
    p->options.work = p->course.work;
    p->options.n_work = p->course.n_work;
    p->options.move = &p->course.move;
    return PARCAST_OK;
}

/* ---- printing ---- */

static void put_time(struct cli_table *table, double seconds)
{
    char text[32];
    cli_table_put(table, "%s", parcast_units_format_time(seconds, text, sizeof text));
}

static int print_table(const struct plan *p, const parcast_malleable *m, const parcast_plan *plan)
{
    char title[48];
    bool priced = !isnan(plan->cost);
    snprintf(title, sizeof title, "cost [%.32s]", m->currency);
    struct cli_column columns[8] = {{"from iteration", CLI_RIGHT}, {"nodes", CLI_RIGHT},
                                    {"processes", CLI_RIGHT},      {"starts at", CLI_RIGHT},
                                    {"takes", CLI_RIGHT},          {"move", CLI_RIGHT},
                                    {"dyn. eff.", CLI_RIGHT},      {title, CLI_RIGHT}};
    struct cli_table *table = cli_table_create(&p->common, columns, priced ? 8 : 7);
    for (size_t i = 0; i < plan->n_stretches; i++) {
        const parcast_stretch *s = &plan->stretches[i];
        cli_table_row(table);
        cli_table_put(table, "%lld", (long long)s->from_iteration);
        cli_table_put(table, "%d", s->nodes);
        cli_table_put(table, "%d", s->processes);
        put_time(table, s->start_s);
        put_time(table, s->time_s);
        put_time(table, s->move_s);
        cli_table_put(table, "%.0f %%", 100 * s->efficiency_ratio);
        if (priced) cli_table_number(table, s->cost, 3);
    }
    return cli_table_print(&p->common, &table);
}

struct interval {
    double low, high, limit;
};

/* An interval says whether the goal is met for sure. */
static void print_goal(const char *what, bool met, struct interval in, const char *limit)
{
    if (isnan(in.limit)) return;
    bool sure = met ? in.high <= in.limit : in.low > in.limit;
    printf("%-10s %s %s%s\n", what, limit, met ? "is met" : "is NOT met",
           sure  ? ""
           : met ? ", but the interval reaches beyond it"
                 : ", but the interval begins below it");
}

static int print_plan(const struct plan *p, const parcast_malleable *m, const parcast_plan *plan)
{
    char time[32], low[32], high[32], limit[64];
    printf("%s%s%s on %s, %lld iterations\n\n", m->program, *m->arguments ? " " : "", m->arguments,
           m->platform, (long long)parcast_malleable_iterations(m));
    int status = print_table(p, m, plan);
    if (status) return status;
    printf("\n%s\n", plan->reason);
    printf("%-10s %s (95 %% interval %s .. %s)\n", "time",
           parcast_units_format_time(plan->time_s, time, sizeof time),
           parcast_units_format_time(plan->low_s, low, sizeof low),
           parcast_units_format_time(plan->high_s, high, sizeof high));
    if (!isnan(plan->cost))
        printf("%-10s %.4g %s (95 %% interval %.4g .. %.4g)\n", "cost", plan->cost, m->currency,
               plan->cost_low, plan->cost_high);
    printf("%-10s %.0f %% of what is held\n", "efficiency", 100 * plan->efficiency_ratio);
    parcast_units_format_time(plan->goal.deadline_s, limit, sizeof limit);
    print_goal("deadline", plan->deadline_met,
               (struct interval){plan->low_s, plan->high_s, plan->goal.deadline_s}, limit);
    snprintf(limit, sizeof limit, "%.6g %.32s", plan->goal.budget, m->currency);
    print_goal("budget", plan->budget_met,
               (struct interval){plan->cost_low, plan->cost_high, plan->goal.budget}, limit);
    if (p->common.quiet) return 0;
    printf("engine     %s\n", parcast_engine_name(m->engine));
    for (size_t i = 0; i < m->n_notes; i++) printf("note: %s\n", m->notes[i]);
    if (!isnan(plan->cost) && m->billing_unit_s > 0)
        printf("note: the rows have the cost of their seconds; below them whole billing units of %s are "
               "charged, each node "
               "from its request to its release\n",
               parcast_units_format_time(m->billing_unit_s, time, sizeof time));
    if (!isnan(p->state_bytes) || p->course.bytes_measured || plan->n_stretches < 2) return 0;
    parcast_units_format_size(m->move.bytes, limit, sizeof limit);
    printf("note: the state that moves is taken as %s, from the memory of the processes; give --state\n",
           limit);
    return 0;
}

/* ---- the work ---- */

/* For `parcast report`; a study that cannot be written is no failure of the plan. */
static void keep(const struct plan *p, const char *json)
{
    parcast_study *study;
    parcast_error error = {.code = PARCAST_OK};
    if (parcast_study_open(p->study_path, PARCAST_STUDY_WRITE, &study, &error) == PARCAST_OK) {
        parcast_study_add_result(study, p->chosen.problem_id, "parcast.plan/1", json, &error);
        parcast_study_close(&study);
    }
    if (error.code) cli_note(&p->common, "the plan is not kept in the study: %s", error.text);
}

static int show(const struct plan *p, const parcast_malleable *m, const parcast_plan *plan)
{
    char *json = parcast_plan_json(m, plan);
    if (!json) {
        parcast_error error;
        parcast_error_set(&error, PARCAST_MEMORY, NULL, 0, "out of memory for a plan");
        return cli_fail(&p->common, &error);
    }
    keep(p, json);
    int status = 0;
    if (p->common.json)
        puts(json);
    else
        status = print_plan(p, m, plan);
    free(json);
    return status;
}

static parcast_status make(struct plan *p, parcast_malleable **m, parcast_plan **plan, parcast_error *error)
{
    parcast_engine engine;
    parcast_predictor *predictor;
    parcast_status status = parcast_engine_parse(p->engine ? p->engine : "model", &engine, error);
    if (!status && (engine == PARCAST_ENGINE_BOUND || engine == PARCAST_ENGINE_REPLAY))
        status = parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                   "--engine is model, paper or pmnf: engine %s does not know how long the "
                                   "program takes on every number of nodes",
                                   p->engine);
    if (!status)
        status = parcast_predictor_create(engine, p->chosen.runs, p->chosen.n_runs,
                                          p->recorded ? p->recorded : p->platform, NULL, &predictor, error);
    if (status) return status;
    status = parcast_malleable_create(predictor, p->platform, &p->chosen.runs[0], &p->options, m, error);
    parcast_predictor_destroy(&predictor);
    if (status) return status;
    if (p->asked) return parcast_plan_evaluate(*m, &p->goal, p->asked, p->n_asked, plan, error);
    return parcast_plan_create(*m, &p->goal, p->elastic, plan, error);
}

static int plan_it(struct plan *p)
{
    parcast_error error = {.code = PARCAST_OK};
    parcast_malleable *m = NULL;
    parcast_plan *plan = NULL;
    int status = make(p, &m, &plan, &error) ? cli_fail(&p->common, &error) : show(p, m, plan);
    parcast_plan_destroy(&plan);
    parcast_malleable_destroy(&m);
    return status;
}

static void release(struct plan *p, poptContext context)
{
    cli_runs_clear(&p->chosen);
    parcast_course_clear(&p->course);
    parcast_platform_destroy(&p->platform);
    parcast_platform_destroy(&p->recorded);
    cli_options_free(&p->common, context);
    free(p->asked);
}

int cmd_plan(int argc, const char **argv)
{
    struct plan p = {
        .iterations = not_given,
        .ranks_per_node = not_given,
        .common = {
            .command = "plan",
            .synopsis =
                "parcast plan STUDY [--on PLATFORM] [--recorded-on PLATFORM] [--deadline T] [--budget "
                "C] [--elastic] [--nodes MIN-MAX] [--ranks-per-node R] [--iterations N] [--state SIZE] "
                "[--schedule ITERATION:NODES,...] [--engine model|paper|pmnf] [--runs IDS] [--json]"}};
    const struct poptOption table[] = {
        {"on", 0, POPT_ARG_STRING, &p.on, 0,
         "platform file (default: more nodes of the kind that the runs were made on)", "PLATFORM"},
        {"recorded-on", 0, POPT_ARG_STRING, &p.recorded_on, 0,
         "platform file of the machine that the runs were made on (default: that of --on)", "PLATFORM"},
        {"deadline", 0, POPT_ARG_STRING, &p.deadline, 0, "seconds, 90m, 2h30m or a clock time 18:00", "T"},
        {"budget", 0, POPT_ARG_STRING, &p.budget, 0, "in the platform's currency", "C"},
        {"elastic", 0, POPT_ARG_NONE, &p.elastic, 0, "the node count may change during the run", NULL},
        {"nodes", 0, POPT_ARG_STRING, &p.nodes, 0, "fewest and most nodes (default: 1 to all)", "MIN-MAX"},
        {"ranks-per-node", 0, POPT_ARG_INT, &p.ranks_per_node, 0, "processes on a node (default: its cores)",
         "R"},
        {"iterations", 0, POPT_ARG_LONGLONG, &p.iterations, 0,
         "iterations of the run, between which it may change (default: as the study knows, else 100)", "N"},
        {"state", 0, POPT_ARG_STRING, &p.state, 0,
         "what moves with a change: 256 MB (default: as the study knows, else from the memory of the "
         "processes)",
         "SIZE"},
        {"schedule", 0, POPT_ARG_STRING, &p.schedule, 0, "what this schedule would take",
         "ITERATION:NODES,..."},
        {"engine", 0, POPT_ARG_STRING, &p.engine, 0, "model, paper or pmnf", "ENGINE"},
        {"runs", 0, POPT_ARG_STRING, &p.runs, 0,
         "fit these runs (default: all complete ones of the latest problem)", "IDS"},
        CLI_COMMON(&p.common),
        POPT_TABLEEND};
    poptContext context;
    int status = cli_options(&p.common, argc, argv, table, &context);
    if (status >= 0) return status;
    p.study_path = cli_only_argument(&p.common, context, "study");
    parcast_error error = {.code = PARCAST_OK};
    if (!p.study_path)
        status = EXIT_USAGE;
    else if (!p.deadline && !p.budget && !p.schedule)
        status = cli_usage(&p.common, "a plan needs --deadline, --budget or --schedule");
    else if (read_options(&p, &error) || cli_runs_load(p.study_path, p.runs, &p.chosen, &error) ||
             read_platform(&p, &error) || read_course(&p, &error))
        status = cli_fail(&p.common, &error);
    else
        status = plan_it(&p);
    release(&p, context);
    return status;
}
