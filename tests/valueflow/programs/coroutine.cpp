// Sums of three neighbours that a coroutine hands out one by one.
#include <coroutine>
#include <cstdio>

enum { N = 100 };
static double a[N], b[N];

struct Sums {
    struct promise_type {
        double value = 0;
        Sums get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(double sum)
        {
            value = sum;
            return {};
        }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};

static Sums sums()
{
    for (int i = 1; i < N - 1; i++) co_yield a[i - 1] + a[i] + a[i + 1];
}

void solve()
{
    Sums each = sums();
    for (int i = 1; i < N - 1; i++) {
        each.handle.resume();
        b[i] = each.handle.promise().value;
    }
    each.handle.destroy();
}

int main()
{
    for (int i = 0; i < N; i++) a[i] = i;
    solve();
    std::printf("%g\n", b[50]);
    return 0;
}
