/* Signals to a process with a second thread that blocks none, as libraries start some before main. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/signals.h"

static void *rest(void *nothing)
{
    for (;;) pause();
    return nothing;
}

/* 0: nothing came. */
static int next_of(const sigset_t *set, time_t seconds)
{
    int signal = sigtimedwait(set, NULL, &(struct timespec){.tv_sec = seconds, .tv_nsec = 100000000});
    return signal > 0 ? signal : 0;
}

static void what_another_thread_receives_is_the_first_ones(void **state)
{
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct signals_before before;
    sigset_t set;
    (void)state;
    signals_hold(&set, &before);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        kill(getpid(), numbers[i]);
        assert_int_equal(next_of(&set, 20), numbers[i]);
    }
    signals_release(&before);
}

/* As shells do to what they start in the background. */
static void an_interrupt_is_heard_where_it_was_ignored(void **state)
{
    struct signals_before before;
    struct sigaction now;
    sigset_t set;
    (void)state;
    signal(SIGINT, SIG_IGN);
    signals_hold(&set, &before);
    kill(getpid(), SIGINT);
    assert_int_equal(next_of(&set, 20), SIGINT);
    signals_release(&before);
    sigaction(SIGINT, NULL, &now);
    assert_true(now.sa_handler == SIG_IGN);
    signal(SIGINT, SIG_DFL);
}

static void what_was_before_is_so_again(void **state)
{
    struct signals_before before;
    struct sigaction now;
    sigset_t set;
    (void)state;
    signals_hold(&set, &before);
    signals_release(&before);
    sigaction(SIGTERM, NULL, &now);
    assert_true(now.sa_handler == SIG_DFL);
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    assert_false(sigismember(&set, SIGTERM));
}

/* As nohup does. */
static void a_hang_up_that_is_ignored_stays_so_in_children_too(void **state)
{
    struct signals_before before;
    sigset_t set;
    int how = 0;
    (void)state;
    signal(SIGHUP, SIG_IGN);
    signals_hold(&set, &before);
    kill(getpid(), SIGHUP);
    assert_int_equal(next_of(&set, 0), 0);
    pid_t child = fork();
    if (child == 0) {
        signals_in_child();
        raise(SIGHUP);
        _exit(7);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 7);
    while (next_of(&set, 0)) continue;
    signals_release(&before);
    signal(SIGHUP, SIG_DFL);
}

static void children_end_as_without_us(void **state)
{
    struct signals_before before;
    sigset_t set;
    int how = 0;
    (void)state;
    signals_hold(&set, &before);
    pid_t child = fork();
    if (child == 0) {
        signals_in_child();
        sigprocmask(SIG_SETMASK, &before.mask, NULL);
        raise(SIGTERM);
        _exit(7);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGTERM);
    while (next_of(&set, 0)) continue;
    signals_release(&before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_another_thread_receives_is_the_first_ones),
        cmocka_unit_test(an_interrupt_is_heard_where_it_was_ignored),
        cmocka_unit_test(what_was_before_is_so_again),
        cmocka_unit_test(a_hang_up_that_is_ignored_stays_so_in_children_too),
        cmocka_unit_test(children_end_as_without_us),
    };
    pthread_t thread;
    for (int i = 0; i < 3; i++) signal((const int[]){SIGINT, SIGTERM, SIGHUP}[i], SIG_DFL);
    if (pthread_create(&thread, NULL, rest, NULL)) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
