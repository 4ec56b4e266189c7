#!/bin/sh
# What is installed can be used: by a C program through pkg-config and through CMake, and by people.
# shellcheck source=tests/house/lib.sh
. "$SOURCE/tests/house/lib.sh"
stage=$scratch/stage

DESTDIR="$stage" cmake --install "$BUILD" >"$scratch/install.log" 2>&1 || { cat "$scratch/install.log"; echo "cmake --install failed"; exit 1; }
prefix=$stage$(sed -n 's/^CMAKE_INSTALL_PREFIX:[A-Z]*=//p' "$BUILD/CMakeCache.txt")
pc=$(find "$prefix" -name parcast.pc)

cat >"$scratch/use.c" <<'END'
#include <parcast/error.h>
#include <parcast/version.h>
#include <stdio.h>

int main(void)
{
    printf("%s %s\n", PARCAST_VERSION, parcast_status_text(PARCAST_OK));
    return 0;
}
END
version=$(sed -n 's/^#define PARCAST_VERSION "\(.*\)"/\1/p' "$BUILD/include/parcast/version.h")

a_program_links_through_pkg_config() {
    [ -f "$pc" ] || fail "parcast.pc was not installed"
    export PKG_CONFIG_PATH="${pc%/*}" PKG_CONFIG_SYSROOT_DIR="$stage"
    [ "$(pkg-config --modversion parcast)" = "$version" ] || fail "parcast.pc has another version than version.h"
    # shellcheck disable=SC2046 # flags are words
    "$CC" $(pkg-config --cflags parcast) -o "$scratch/use" "$scratch/use.c" $(pkg-config --libs parcast)
    out=$(LD_LIBRARY_PATH=$(dirname "$(find "$prefix" -name 'libparcast.so')") "$scratch/use")
    [ "$out" = "$version success" ] || fail "the program printed: $out"
}

a_program_links_through_find_package() {
    mkdir "$scratch/project"
    cp "$scratch/use.c" "$scratch/project"
    cat >"$scratch/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(use LANGUAGES C)
find_package(parcast 0.1 REQUIRED)
add_executable(use use.c)
target_link_libraries(use PRIVATE parcast::parcast)
END
    cmake -S "$scratch/project" -B "$scratch/project/build" -DCMAKE_C_COMPILER="$CC" -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/log" 2>&1 &&
        cmake --build "$scratch/project/build" >>"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
    out=$("$scratch/project/build/use")
    [ "$out" = "$version success" ] || fail "the program printed: $out"
}

a_newer_version_than_installed_is_refused() {
    mkdir "$scratch/newer"
    printf 'cmake_minimum_required(VERSION 3.25)\nproject(use LANGUAGES C)\nfind_package(parcast 99 REQUIRED)\n' >"$scratch/newer/CMakeLists.txt"
    if cmake -S "$scratch/newer" -B "$scratch/newer/build" -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/log" 2>&1; then fail "parcast 99 was found"; fi
    grep -q 'parcast' "$scratch/log" || fail "$(cat "$scratch/log")"
}

the_installed_program_runs_where_it_lies() {
    out=$("$prefix/bin/parcast" --version)
    [ "$out" = "parcast $version" ] || fail "parcast --version printed: $out"
}

the_installed_program_finds_its_preload_library() {
    [ -n "$MPIS" ] || skip "no MPI is installed"
    for kind in $MPIS; do
        "$prefix/bin/parcast" record -q -s "$scratch/$kind.parcast" -n 1 -- "$BUILD/examples/heat2d.$kind" 10 5 >"$scratch/log" 2>&1 ||
            fail "$(cat "$scratch/log")"
        "$prefix/bin/parcast" show "$scratch/$kind.parcast" --json | grep -q '"MPI_Allreduce"' || fail "no calls were recorded with $kind"
    done
}

everything_that_people_look_for_is_there() {
    for file in share/bash-completion/completions/parcast share/zsh/site-functions/_parcast share/fish/vendor_completions.d/parcast.fish \
        share/doc/parcast/README.md share/doc/parcast/LICENSE share/doc/parcast/THIRD_PARTY.md share/doc/parcast/examples/platforms/eight-nodes.yaml include/parcast/error.h include/parcast/version.h; do
        [ -s "$prefix/$file" ] || fail "$file was not installed"
    done
    command -v scdoc >/dev/null || return 0
    for page in "$SOURCE"/docs/man/*.scd; do
        page=$(basename "$page" .scd)
        [ -s "$prefix/share/man/man${page##*.}/$page" ] || fail "the manual page $page was not installed"
    done
}

no_path_of_the_build_is_installed() {
    if find "$prefix" '(' -name '*.pc' -o -name '*.cmake' ')' -exec grep -l -e "$BUILD" -e "$SOURCE" {} + | grep .; then fail "these name the build tree"; fi
    return 0
}

run a_program_links_through_pkg_config a_program_links_through_find_package a_newer_version_than_installed_is_refused \
    the_installed_program_runs_where_it_lies the_installed_program_finds_its_preload_library \
    everything_that_people_look_for_is_there no_path_of_the_build_is_installed
