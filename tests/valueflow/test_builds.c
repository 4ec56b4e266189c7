/* Programs of many files, in the style of hydrodynamics mini-applications, with their own build systems:
 * objects, static and shared libraries, C++ with its containers, exceptions and virtual functions. Whatever
 * the options, the words are the same. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_cli.h"

/* Words on two parts; what is not followed is a failure. */
static json_int_t words_of(const char *program, const char *options)
{
    struct outcome outcome = run_cli("estimate -p 2 --json -- %s", program);
    if (outcome.status || !strstr(outcome.out, "parcast.estimate/1"))
        fail_msg("%s, %s: %s%s", program, options, outcome.out, outcome.err);
    json_t *object = json_loads(outcome.out, 0, NULL), *list = json_object_get(object, "not_followed");
    if (json_array_size(list)) fail_msg("%s, %s: %s", program, options, outcome.err);
    json_int_t words =
        json_integer_value(json_object_get(json_array_get(json_object_get(object, "points"), 0), "words"));
    json_decref(object);
    outcome_clear(&outcome);
    return words;
}

static void build(const char *command)
{
    struct outcome outcome = run_cli(
        "-h >/dev/null; { %s; } >built 2>&1; (made=$?; test $made = 0 || cat built; exit $made)", command);
    if (outcome.status) fail_msg("%s: %s", command, outcome.out);
    outcome_clear(&outcome);
}

static json_int_t words_of_make(void)
{
    build("PARCAST_REGION=TimeLoop make -f " STRESS "/Makefile SOURCE=" STRESS
          " CC=\"$PARCAST cc --values\" CXX=\"$PARCAST c++ --values\" CXXFLAGS='-g -O3 -I" STRESS
          " -Wall -DUSE_MPI=0 -fopenmp -flto -funroll-all-loops -ftree-vectorizer-verbose=2'");
    return words_of("./stress -q", "make");
}

static void the_program_computes_what_it_was_written_for(void **state)
{
    (void)state;
    words_of_make();
    struct outcome outcome = run_cli("-h >built; ./stress -q -i 30");
    char *followed = strdup(outcome.out);
    outcome_clear(&outcome);
    build("clang++-19 -O1 -ffp-contract=off -DUSE_MPI=0 -o plain " STRESS "/*.cc -x c " STRESS
          "/lib/viscosity.c");
    outcome = run_cli("-h >built; ./plain -q -i 30");
    assert_string_equal(followed, outcome.out);
    outcome_clear(&outcome);
    free(followed);
}

static void make_and_cmake_build_the_same(void **state)
{
    static const char *const options[] = {"-DSHARED=ON", "-DCMAKE_BUILD_TYPE=Debug"};
    (void)state;
    json_int_t words = words_of_make();
    assert_true(words > 0);
    if (system("command -v cmake >/dev/null")) skip();
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char command[1024];
        snprintf(
            command, sizeof command,
            "export PARCAST_REGION=TimeLoop CC=\"$PARCAST cc --values\" CXX=\"$PARCAST c++ --values\" && "
            "cmake -S " STRESS " -B cmake%zu %s && cmake --build cmake%zu -j2",
            i, options[i], i);
        build(command);
        snprintf(command, sizeof command, "./cmake%zu/stress -q", i);
        assert_int_equal(words_of(command, options[i]), words);
    }
}

static void levels_of_optimisation_make_no_difference(void **state)
{
    static const char *const options[] = {
        "-O0 -g",
        "-O1",
        "-O2 -march=native",
        "-O3 -ffast-math",
        "-Os -fPIC -pie",
        "-Ofast -fgraphite-identity -fno-aggressive-loop-optimizations -fvect-cost-model=unlimited "
        "-fwhole-program "
        "-mveclibabi=svml -fopt-info-vec-missed -fdump-tree-all -fanalyzer",
        "-Werror -Wall -Wno-maybe-uninitialized -Wlogical-op -fno-gcse -ffp-model=fast -ftrapv"};
    json_int_t first = -1;
    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char command[1024];
        snprintf(command, sizeof command,
                 "\"$PARCAST\" cc --values --region kernel %s -c " KERNELS "/spmv_laplacian.c -o k.o && "
                 "\"$PARCAST\" cc --values k.o -o kernel -lm",
                 options[i]);
        build(command);
        json_int_t words = words_of("./kernel 16 3", options[i]);
        if (first < 0) first = words;
        if (words != first)
            fail_msg("%s: %lld words, not %lld", options[i], (long long)words, (long long)first);
    }
}

static void build_of_fortran(const char *options, const char *link)
{
    char command[1024];
    snprintf(command, sizeof command,
             "rm -f sweeps *.o; \"$PARCAST\" fc --values --region kernel %s -c " PROGRAMS
             "/wholearrays.f90 -o sweeps.o && %s",
             options, link);
    build(command);
}

/* Flang refuses most of what gfortran is given. */
static void options_of_gfortran_make_no_difference(void **state)
{
    static const char *const options[] = {
        "-Ofast -mavx2 -mfma -funroll-loops -frecursive -fstack-arrays -fno-protect-parens -ftree-vectorize",
        "-g3 -ggdb -Wall -Werror -fcheck=all -fbacktrace -finit-real=nan -fmax-stack-var-size=1000",
        "-O2 -fstack-protector-strong -fcf-protection -ffile-prefix-map=a=b -fdata-sections "
        "-fvisibility=hidden",
        "-fno-range-check -ffree-line-length-none -fcray-pointer -frecord-marker=4 -fintrinsic-modules-path "
        "/tmp",
    };
    static const char fortran[] = "\"$PARCAST\" fc --values sweeps.o -o sweeps -static-libgfortran -mavx2 "
                                  "-Xlinker -z -Xlinker now -z relro -pthread -s -pie";
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    build_of_fortran("", "\"$PARCAST\" fc --values sweeps.o -o sweeps");
    json_int_t words = words_of("./sweeps", "none");
    assert_true(words > 0);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        build_of_fortran(options[i], fortran);
        assert_int_equal(words_of("./sweeps", options[i]), words);
    }
    struct outcome outcome = run_cli("fc --values -freal-4-real-8 -c " PROGRAMS "/wholearrays.f90");
    assert_int_equal(outcome.status, 1);
    assert_non_null(strstr(outcome.err, "-freal-4-real-8"));
    outcome_clear(&outcome);
}

/* As CMake names it, in one word. */
static void modules_go_where_one_word_says(void **state)
{
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    build("rm -rf mods && mkdir mods && printf '%s\\n' 'module shared_size' 'integer :: n = 3' 'end module' "
          ">shared_size.f90 && \"$PARCAST\" fc --values -module-dirmods -c shared_size.f90 && "
          "test -f mods/shared_size.mod && printf '%s\\n' 'use shared_size' 'print *, n' 'end' "
          ">shows_size.f90 && "
          "\"$PARCAST\" fc --values -module-dirmods shows_size.f90 shared_size.o -o shows_size && "
          "./shows_size | grep 3");
}

/* Where its build names gfortran's. */
static void a_c_program_has_the_run_time_of_its_fortran(void **state)
{
    (void)state;
    if (system("command -v flang-new-19 >/dev/null && ls $(gfortran -print-file-name=libgfortran.so) "
               ">/dev/null"))
        skip();
    build("printf '%s\\n' 'void shown_(double *, int *); int main(void) { double a[2] = {1, 2}; int n = 2;' "
          "'shown_(a, &n); return 0; }' >main.c && "
          "printf '%s\\n' 'subroutine shown(a, n)' 'integer :: n' 'real(8) :: a(n)' 'print *, sum(a)' 'end' "
          ">shown.f90 && \"$PARCAST\" fc --values -c shown.f90 && "
          "\"$PARCAST\" cc --values main.c shown.o -o shown -lgfortran -lm && ./shown | grep 3.");
}

/* A wrapper is given what its compiler would hand on to another. */
static void sources_of_other_languages_are_followed_too(void **state)
{
    static const char *const commands[] = {
        "cc --values -O3 -Wall -std=gnu11 -MMD main.c step.f90 -o mixed -lgfortran -lm",
        "fc --values -O3 -std=f2008 -fcheck=all -MMD -MF any.d -J . main.c step.f90 -o mixed",
        "fc --values -c main.c && $PARCAST cc --values -c -x f95 step.f90 && $PARCAST fc --values main.o "
        "step.o -o mixed",
    };
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    build("printf '%s\n' 'void step_(double *, double *, int *); static double u[64], v[64];' "
          "'int main(void) { int n = 64; for (int i = 0; i < 64; i++) u[i] = i;' "
          "'for (int i = 0; i < 3; i++) { step_(u, v, &n); for (int k = 1; k < 63; k++) u[k] = v[k]; }' "
          "'return u[5] < 0; }' >main.c && "
          "printf '%s\n' 'subroutine step(u, v, n)' 'integer :: n' 'real(8) :: u(n), v(n)' "
          "'do i = 2, n - 1' 'v(i) = u(i - 1) + u(i + 1)' 'end do' 'end' >step.f90");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char command[512];
        snprintf(command, sizeof command, "rm -f mixed *.o; $PARCAST %s", commands[i]);
        build(command);
        assert_int_equal(words_of("./mixed", commands[i]), 2 * 2); /* the first step reads constants */
    }
}

/* -x says what a file is, whatever its name; the objects and libraries after it are none of that language. */
static void languages_that_are_named_are_followed_too(void **state)
{
    static const char *const commands[] = {
        "-x c source -o kernel -lm",
        "-xc source -o kernel -x none -lm",
        "-x c - -o kernel -lm <source",
        "-x c -c source -o named.o && \"$PARCAST\" cc --values named.o -o kernel -lm",
        "-c -xc source -o named.o && \"$PARCAST\" cc --values -x c source2 -x none named.o -o kernel -lm",
        "-x cpp-output source.i -o kernel -lm",
        "-x assembler-with-cpp nothing -x c source -o kernel -lm",
    };
    (void)state;
    build("cp " KERNELS
          "/spmv_laplacian.c source && echo 'int beside;' >source2 && echo '/* nothing */' >nothing && "
          "clang-19 -E -I" KERNELS " " KERNELS "/spmv_laplacian.c -o source.i && "
          "\"$PARCAST\" cc --values --region kernel " KERNELS "/spmv_laplacian.c -o kernel -lm");
    json_int_t words = words_of("./kernel 16 3", "by its name");
    assert_true(words > 0);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char command[1024];
        snprintf(command, sizeof command,
                 "rm -f kernel named.o; \"$PARCAST\" cc --values --region kernel -I" KERNELS " %s",
                 commands[i]);
        build(command);
        assert_int_equal(words_of("./kernel 16 3", commands[i]), words);
    }
    build("rm -f kernel; \"$PARCAST\" cc -O2 -I" KERNELS
          " --region kernel -x c source -o kernel --values -lm");
    assert_int_equal(words_of("./kernel 16 3", "options of both in any order"), words);
}

/* In one step or by the compiled interface. */
static void modules_are_followed(void **state)
{
    static const char *const commands[] = {
        "-fmodule-output=sweep.pcm -c sweep.cppm -o sweep.o",
        "-x c++-module -fmodule-output=sweep.pcm -c sweep -o sweep.o",
        "--precompile sweep.cppm -o sweep.pcm && \"$PARCAST\" c++ --values -std=c++20 -c sweep.pcm -o "
        "sweep.o",
    };
    (void)state;
    build("printf '%s\n' 'export module sweep; export void sweep(const double *u, double *v, int n)'"
          " '{ for (int i = 1; i < n - 1; i++) v[i] = u[i - 1] + u[i + 1]; }' >sweep.cppm && cp sweep.cppm "
          "sweep &&"
          " printf '%s\n' 'import sweep; static double u[64], v[64];'"
          " 'int main() { for (int i = 0; i < 64; i++) u[i] = i;'"
          " 'for (int t = 0; t < 3; t++) { sweep(u, v, 64); for (int i = 1; i < 63; i++) u[i] = v[i]; }'"
          " 'return u[5] < 0; }' >swept.cpp");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char command[512];
        snprintf(command, sizeof command,
                 "rm -f sweep.o sweep.pcm swept; \"$PARCAST\" c++ --values -std=c++20 %s && \"$PARCAST\" c++ "
                 "--values"
                 " -std=c++20 -fmodule-file=sweep=sweep.pcm swept.cpp sweep.o -o swept",
                 commands[i]);
        build(command);
        assert_int_equal(words_of("./swept", commands[i]), 2 * 2); /* the first step reads constants */
    }
}

#define CC   "\"$PARCAST\" cc --values --region kernel -I" KERNELS
#define LINK "\"$PARCAST\" cc --values"

/* Whatever way the words of a compiler take, what is made is followed, and lies where they say. */
static void build_systems_find_what_they_ask_for(void **state)
{
    static const char *const commands[] = {
        CC " -std=c99 -c source.c -osource.o && " LINK " source.o -okernel -lm",
        "echo '-c \"a b.c\" -o a\\ b.o' >one && echo @one >two && cp source.c 'a b.c' && " CC " @two && " LINK
        " 'a b.o' -o kernel -lm",
        "cp source.c a.b.c && " CC " -MMD -c a.b.c && grep -q '^a.b.o: a.b.c' a.b.d && " LINK
        " a.b.o -o kernel -lm",
        CC " -Wp,-MMD,some.d -c source.c -o some.o && grep -q '^some.o: source.c' some.d && " LINK
           " some.o -o kernel -lm",
        CC " -MD source.c -o kernel -lm && grep -q '^kernel: source.c' kernel.d",
        CC " -S source.c && " LINK " -c source.s -o source.o && " LINK " source.o -o kernel -lm",
        CC " -c source.c && " LINK " -r -nostdlib source.o -o all.o && " LINK " all.o -o kernel -lm",
        CC " -fPIC -shared -Wl,--no-undefined source.c -o library.so -lm && echo >nothing.c && " LINK
           " nothing.c $PWD/library.so -o kernel",
        CC " -static -fsanitize=address,undefined --coverage -pg -gsplit-dwarf source.c -o kernel -lm",
        CC " -O3 -g -x c-header " KERNELS "/kernel.h -o kernel.h.pch && " CC
           " -O3 -g -include-pch kernel.h.pch source.c -o kernel -lm",
        CC
        " -DIT -c source.c one.s two.S && nm one.o | grep -q ' T one' && nm two.o | grep -q ' T two' && " LINK
        " source.o one.o two.o -o kernel -lm",
        CC " -c --output=long.o --optimize=3 --language=c source.c && " LINK " --output kernel long.o -lm",
        CC " -DIT source.c two.S -x assembler one.s -x none -o kernel -lm && nm kernel | grep -q ' T two'",
    };
    (void)state;
    build("cp " KERNELS "/spmv_laplacian.c source.c && printf '.globl one\none: ret\n' >one.s && "
          "printf '#ifdef IT\n.globl two\ntwo: ret\n#endif\n' >two.S && " CC " source.c -o kernel -lm");
    json_int_t words = words_of("./kernel 16 3", "plain");
    assert_true(words > 0);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char command[2048];
        snprintf(command, sizeof command, "rm -f kernel *.o; %s", commands[i]);
        build(command);
        assert_int_equal(words_of("./kernel 16 3", commands[i]), words);
    }
}

/* Two steps, as caches of compilers go, keep the markers; OpenMP's functions are there for one thread. */
static void what_is_preprocessed_first_keeps_its_markers(void **state)
{
    (void)state;
    build(
        "printf '%s\\n' '#include <parcast/region.h>' 'int omp_get_max_threads(void); double a[64], b[64];' "
        "'int main(void) { for (int i = 0; i < 64; i++) b[i] = i; parcast_region_begin();' "
        "'for (int i = 0; i < 64; i++) a[i] = b[i] * omp_get_max_threads() + b[63 - i];' "
        "'parcast_region_end(); for (int i = 0; i < 64; i++) b[i] += a[i] + a[63 - i]; return b[7] < 0; }' "
        ">m.c && "
        "\"$PARCAST\" cc --values -E m.c -o m.i && \"$PARCAST\" cc --values -fopenmp -c m.i && "
        "\"$PARCAST\" cc --values -fopenmp m.o -o m");
    struct outcome outcome = run_cli("estimate -p 2 --json -- ./m");
    json_t *object = json_loads(outcome.out, 0, NULL);
    if (!object) fail_msg("%s%s", outcome.out, outcome.err);
    assert_int_equal(json_integer_value(json_object_get(object, "flop")), 2 * 64);
    assert_int_equal(json_array_size(json_object_get(object, "not_followed")), 0);
    json_decref(object);
    outcome_clear(&outcome);
}

/* A part that is not there: a copy of the library with nothing beside it. */
static void parts_that_are_missing_are_named(void **state)
{
    static const char *const parts[] = {"parcast-instrument", "libparcast_values.a",
                                        "include/parcast/region.h"};
    (void)state;
    build("mkdir bare && cp $(ldd \"$PARCAST\" | sed -n 's/.*=> \\(.*libparcast[^ ]*\\) .*/\\1/p') bare");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char expected[128];
        struct outcome outcome =
            run_cli("-h >/dev/null; LD_LIBRARY_PATH=bare \"$PARCAST\" cc --values -c none.c");
        snprintf(expected, sizeof expected, "error: cannot find '%s' beside libparcast in '", parts[i]);
        if (outcome.status != 1 || !strstr(outcome.err, expected) || !strstr(outcome.err, "as a whole"))
            fail_msg("%s: status %d, %s", parts[i], outcome.status, outcome.err);
        outcome_clear(&outcome);
        build(i == 0 ? "touch bare/parcast-instrument" : "touch bare/libparcast_values.a");
    }
}

static void expect_failure(const char *command, const char *const *parts)
{
    struct outcome outcome = run_cli("-h >/dev/null; { %s; }", command);
    assert_int_equal(outcome.status, 1);
    for (; *parts; parts++)
        if (!strstr(outcome.err, *parts)) fail_msg("%s: no '%s' in: %s", command, *parts, outcome.err);
    outcome_clear(&outcome);
}

/* The last word counts; what is only preprocessed is the compiler's. */
static void code_of_another_machine_is_refused(void **state)
{
    static const char *const parts[] = {"asks for code of another machine", "hint: ", NULL};
    static const char *const refused[] = {"-m64 -m32 -c", "-mx32", "--target=sparc-linux-gnu -S",
                                          "-c -target sparc-linux-gnu"};
    (void)state;
    build("echo 'int main(void) { return 0; }' >any.c");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char command[256];
        snprintf(command, sizeof command, "$PARCAST cc --values %s any.c", refused[i]);
        expect_failure(command, parts);
    }
    build("$PARCAST cc --values -m32 -m64 -target $(uname -m)-linux-gnu any.c -o any && ./any && "
          "$PARCAST cc --values -m32 -E any.c");
}

/* No header is found at all. */
static void the_package_of_openmp_is_named(void **state)
{
    static const char *const parts[] = {
        "error: uses.c: clang-19 does not find OpenMP's header 'omp.h'\nhint: ", "libomp-19-dev", NULL};
    (void)state;
    build("echo '#include \"uses.h\"' >uses.c; echo '#include <omp.h>' >uses.h; echo 'int main(void) { "
          "return none; }' >other.c");
    expect_failure(
        "$PARCAST cc --values -nostdinc -MD -c uses.c; status=$?; ls uses.d && exit 2; (exit $status)",
        parts);
    struct outcome outcome = run_cli("cc --values -c other.c");
    assert_int_equal(outcome.status, 1);
    assert_null(strstr(outcome.err, "OpenMP"));
    outcome_clear(&outcome);
}

static void a_full_disk_between_the_steps_is_named(void **state)
{
    static const char *const sizes[] = {"4k", "12k", "40k"};
    static const char *const parts[] = {"/full' is full: ", "hint: TMPDIR", NULL};
    (void)state;
    struct outcome tried =
        run_cli("-h >/dev/null; mkdir -p full && mount -t tmpfs -o size=4k tmpfs full && umount full");
    int failed = tried.status;
    outcome_clear(&tried);
    if (failed) skip(); /* not root */
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char command[512];
        snprintf(command, sizeof command,
                 "mount -t tmpfs -o size=%s tmpfs full; TMPDIR=$PWD/full $PARCAST cc --values " PROGRAMS
                 "/endings.c -o endings; status=$?; umount full; (exit $status)",
                 sizes[i]);
        expect_failure(command, parts);
    }
}

/* Ctrl-C reaches all steps; nothing of theirs is left where they work. */
static void an_interrupted_build_leaves_nothing(void **state)
{
    (void)state;
    struct outcome outcome = run_cli(
        "-h >built; mkdir scratch; { (echo 'int main(void) {'; seq -f 'if (%%g > 1) return 1;' 200000; "
        "echo '}') >long.c; TMPDIR=$PWD/scratch timeout -s INT 1 \"$PARCAST\" cc --values long.c -o long; "
        "ls -A scratch; }");
    assert_string_equal(outcome.out, "");
    outcome_clear(&outcome);
}

/* words_of() fails where a call is said to lead to a function without instrumentation. */
static void calls_behind_each_other_are_told_apart(void **state)
{
    (void)state;
    build(LINK " -O2 -c -DLISTS " PROGRAMS "/released.c -o lists.o && " LINK " -O2 " PROGRAMS
               "/released.c lists.o -o released");
    assert_int_equal(words_of("./released", "released"), 0); /* one number of a list */
}

/* Of ways through its choices there are 14^6, of choices 196. */
static void a_machine_of_many_states_is_compiled_soon(void **state)
{
    (void)state;
    build("timeout 30 " LINK " " PROGRAMS "/decoder.c -o decoder && ./decoder >decoded && "
          "clang-19 " PROGRAMS "/decoder.c -o plain_decoder && ./plain_decoder | cmp - decoded");
}

/* What main did before is not of the region, and the library is there until the values are written. */
static void a_region_may_be_in_a_library_that_is_loaded(void **state)
{
    (void)state;
    build(LINK " -fPIC -shared " PROGRAMS "/loaded.c -o libloaded.so && " LINK " " PROGRAMS
               "/loads.c -o loads -ldl");
    struct outcome outcome = run_cli("estimate -p 2 --json -- ./loads 10");
    json_t *object = json_loads(outcome.out, 0, NULL);
    if (!object) fail_msg("%s%s", outcome.out, outcome.err);
    assert_int_equal(json_integer_value(json_object_get(object, "flop")), 10 * 998);
    assert_int_equal(
        json_integer_value(json_object_get(json_array_get(json_object_get(object, "points"), 0), "words")),
        10 * 2);
    json_decref(object);
    outcome_clear(&outcome);
    outcome = run_cli("estimate -p 2 --whole -- ./loads 10");
    assert_int_equal(outcome.status, 1);
    assert_non_null(strstr(outcome.out, "PARTIAL: a library that the program loads marks a region"));
    outcome_clear(&outcome);
}

/* What the compilers and the search would end with is no message. */
static void a_stack_that_is_too_small_is_named(void **state)
{
    static const char *const commands[] = {"cc --values source.c -o small", "estimate -p 2 -- ./small"};
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct outcome outcome = run_cli("-h >built; ulimit -s 64; \"$PARCAST\" %s", commands[i]);
        assert_int_equal(outcome.status, 1);
        if (!strstr(outcome.err, "error: the stack is limited to 64 KiB, ") ||
            !strstr(outcome.err, "\nhint: "))
            fail_msg("%s%s", outcome.out, outcome.err);
        outcome_clear(&outcome);
    }
}

static void only_files_stand_behind_two_dashes(void **state)
{
    (void)state;
    build("echo 'int main(void) { return 0; }' >dashes.c && " LINK " -c -o dashes.o -- dashes.c && " LINK
          " -o dashes -- dashes.o && " CC " -E -- dashes.c");
}

/* In assembly outside functions and in one. */
static void assembly_finds_its_files_where_the_compiler_looks(void **state)
{
    (void)state;
    build("mkdir -p folder && echo 7 >folder/number && printf '%s\\n' "
          "'__asm__(\".data\\nfirst: .incbin \\\"number\\\"\\n.text\");' 'int main(void) { const char *p;' "
          "'__asm__(\".pushsection .data\\n1: .incbin \\\"number\\\"\\n.popsection\\nlea 1b(%%rip), %0\" "
          ": \"=r\"(p));' "
          "'return p[0] != 55; }' >taking.c && " LINK " -I folder taking.c -o taking && ./taking && " LINK
          " -isystem folder taking.c -o taking && ./taking && sed 1d taking.c >missing.c");
    struct outcome outcome = run_cli("cc --values missing.c -o missing");
    assert_int_equal(outcome.status, 1);
    if (!strstr(outcome.err, "missing.c:2:")) fail_msg("%s%s", outcome.out, outcome.err);
    outcome_clear(&outcome);
}

/* Its arrays are there before the program begins. */
static void arrays_of_a_library_that_is_linked_have_their_names(void **state)
{
    static const char *const libraries[][2] = {{"cc", "loaded.c"}, {"c++", "linked.cpp"}};
    (void)state;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        struct outcome outcome =
            run_cli("-h >built; echo 'void loaded_run(int); int main(void) { loaded_run(10); }' >linked.c && "
                    "\"$PARCAST\" %s --values -fPIC -shared " PROGRAMS "/%s -o liblinked.so && " LINK
                    " linked.c -o linked -L. -llinked -Wl,-rpath,$PWD",
                    libraries[i][0], libraries[i][1]);
        if (outcome.status) fail_msg("%s%s", outcome.out, outcome.err);
        outcome_clear(&outcome);
        outcome = run_cli("estimate -p 2 -- ./linked");
        if (!strstr(outcome.out, "2 blocks of b ")) fail_msg("%s%s", outcome.out, outcome.err);
        outcome_clear(&outcome);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_computes_what_it_was_written_for),
        cmocka_unit_test(make_and_cmake_build_the_same),
        cmocka_unit_test(levels_of_optimisation_make_no_difference),
        cmocka_unit_test(options_of_gfortran_make_no_difference),
        cmocka_unit_test(modules_go_where_one_word_says),
        cmocka_unit_test(a_c_program_has_the_run_time_of_its_fortran),
        cmocka_unit_test(sources_of_other_languages_are_followed_too),
        cmocka_unit_test(languages_that_are_named_are_followed_too),
        cmocka_unit_test(modules_are_followed),
        cmocka_unit_test(build_systems_find_what_they_ask_for),
        cmocka_unit_test(what_is_preprocessed_first_keeps_its_markers),
        cmocka_unit_test(parts_that_are_missing_are_named),
        cmocka_unit_test(code_of_another_machine_is_refused),
        cmocka_unit_test(the_package_of_openmp_is_named),
        cmocka_unit_test(a_full_disk_between_the_steps_is_named),
        cmocka_unit_test(an_interrupted_build_leaves_nothing),
        cmocka_unit_test(calls_behind_each_other_are_told_apart),
        cmocka_unit_test(a_machine_of_many_states_is_compiled_soon),
        cmocka_unit_test(a_region_may_be_in_a_library_that_is_loaded),
        cmocka_unit_test(a_stack_that_is_too_small_is_named),
        cmocka_unit_test(only_files_stand_behind_two_dashes),
        cmocka_unit_test(assembly_finds_its_files_where_the_compiler_looks),
        cmocka_unit_test(arrays_of_a_library_that_is_linked_have_their_names),
    };
    setenv("PARCAST", PARCAST_PROGRAM, 1);
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
