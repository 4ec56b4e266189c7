# The MPI libraries of this machine, side by side. libparcast and parcast link none of them; tests, examples and the
# parts that need an MPI are built once per installed one, by its own compiler wrappers (Debian's names; others can be
# set: -DPARCAST_MPICC_MPICH=/opt/mpich/bin/mpicc and so on).
#
#   PARCAST_MPIS                   the kinds that are installed, of: mpich openmpi
#   PARCAST_MPICC_<KIND>, PARCAST_MPICXX_<KIND>, PARCAST_MPIFORT_<KIND>, PARCAST_MPIEXEC_<KIND>   (KIND: MPICH OPENMPI)
#   parcast_mpi_program(NAME SOURCE... [LANG C|CXX|Fortran] [DIRECTORY DIR] [FLAGS FLAG...] [TARGETS VARIABLE] [ELASTIC])
#                                  builds NAME.mpich and NAME.openmpi in ${CMAKE_BINARY_DIR}/DIR (examples if not given);
#                                  ELASTIC links the library of elastic programs;
#                                  VARIABLE receives the kinds that were built. A missing MPI or compiler is said and skipped.
include_guard(GLOBAL)

set(PARCAST_MPIS "")
set(PARCAST_PACKAGES_MPICH "mpich libmpich-dev")
set(PARCAST_PACKAGES_OPENMPI "openmpi-bin libopenmpi-dev")
foreach(kind mpich openmpi)
    string(TOUPPER ${kind} KIND)
    find_program(PARCAST_MPICC_${KIND} mpicc.${kind})
    find_program(PARCAST_MPICXX_${KIND} NAMES mpicxx.${kind} mpic++.${kind})
    find_program(PARCAST_MPIFORT_${KIND} NAMES mpifort.${kind} mpif90.${kind})
    find_program(PARCAST_MPIEXEC_${KIND} NAMES mpiexec.${kind} mpirun.${kind})
    if(PARCAST_MPICC_${KIND} AND PARCAST_MPIEXEC_${KIND})
        list(APPEND PARCAST_MPIS ${kind})
    else()
        message(STATUS "MPI ${kind} not found: what needs it is left out (Debian: ${PARCAST_PACKAGES_${KIND}})")
    endif()
endforeach()

# Environment that lets tests start more ranks than cores, also as root in a container. ob1 is what Open MPI takes between
# ranks of one machine; told so, it does not look for the networks of others, which takes a third of a short test.
set(PARCAST_MPI_TEST_ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1" "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
    "OMPI_MCA_rmaps_base_oversubscribe=1" "OMPI_MCA_mpi_yield_when_idle=1" "OMPI_MCA_hwloc_base_binding_policy=none"
    "OMPI_MCA_btl_base_warn_component_unused=0" "OMPI_MCA_pml=ob1")

function(parcast_mpi_program name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "ELASTIC" "LANG;DIRECTORY;TARGETS" "FLAGS")
    if(NOT arg_LANG)
        set(arg_LANG C)
    endif()
    if(NOT arg_DIRECTORY)
        set(arg_DIRECTORY examples)
    endif()
    set(directory ${CMAKE_BINARY_DIR}/${arg_DIRECTORY})
    set(sources "")
    foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
        get_filename_component(source ${source} ABSOLUTE)
        list(APPEND sources ${source})
    endforeach()
    set(built "")
    foreach(kind IN LISTS PARCAST_MPIS)
        string(TOUPPER ${kind} KIND)
        set(compiler ${PARCAST_MPICC_${KIND}})
        set(language_flags -std=gnu17 -MD -MF ${directory}/${name}.${kind}.d -MT ${directory}/${name}.${kind})
        set(depends DEPFILE ${directory}/${name}.${kind}.d)
        set(modules "")
        if(arg_LANG STREQUAL "CXX")
            set(compiler ${PARCAST_MPICXX_${KIND}})
            list(REMOVE_ITEM language_flags -std=gnu17)
        elseif(arg_LANG STREQUAL "Fortran")
            set(compiler ${PARCAST_MPIFORT_${KIND}})
            set(language_flags -J ${directory}/modules.${name}.${kind})
            set(depends "")
            set(modules ${directory}/modules.${name}.${kind})
        endif()
        if(NOT compiler)
            message(STATUS "MPI ${kind} has no ${arg_LANG} compiler: ${name}.${kind} is left out")
            continue()
        endif()
        set(before "")
        set(behind "")
        set(library "")
        if(arg_ELASTIC)
            set(before -I${CMAKE_SOURCE_DIR}/include)
            set(library ${CMAKE_BINARY_DIR}/libparcast-elastic-${kind}.so)
            set(behind ${library} -Wl,-rpath,${CMAKE_BINARY_DIR})
        endif()
        add_custom_command(OUTPUT ${directory}/${name}.${kind}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${directory} ${modules}
            COMMAND ${compiler} -O2 -g ${language_flags} ${before} ${arg_FLAGS} -o ${directory}/${name}.${kind} ${sources} ${behind} -lm
            DEPENDS ${sources} ${library} ${depends}
            COMMENT "Building ${name}.${kind}" VERBATIM COMMAND_EXPAND_LISTS)
        add_custom_target(mpi-${name}.${kind} ALL DEPENDS ${directory}/${name}.${kind})
        if(arg_ELASTIC)
            add_dependencies(mpi-${name}.${kind} parcast-elastic-${kind})
        endif()
        list(APPEND built ${kind})
    endforeach()
    if(arg_TARGETS)
        set(${arg_TARGETS} "${built}" PARENT_SCOPE)
    endif()
endfunction()
