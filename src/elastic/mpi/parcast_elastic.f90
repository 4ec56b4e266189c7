! Elastic programs in Fortran: the module over libparcast-elastic. Compile this file with your MPI's Fortran compiler and link
! -lparcast-elastic-openmpi or -lparcast-elastic-mpich. What the calls mean: parcast/elastic.h.
!
!     use parcast_elastic
!     type(elastic) :: e
!     real(real64), pointer :: u(:, :)
!     call elastic_open(e, MPI_COMM_WORLD, iterations=n_steps)
!     call elastic_array(e, 'u', u, [elastic_dim(n, halo=1), elastic_dim(n, elastic_block, halo=1)])
!     call elastic_value(e, 'residual', residual)
!     do k = elastic_first_iteration(e), n_steps - 1
!         if (elastic_safe_point(e)) exit
!         ...
!     end do
!     call elastic_close(e)
!
! The bounds of a pointer are global indices, from 1, with the halo: u(0:n+1, first-1:last+1) here. In a cyclic dimension,
! whose own indices are not one interval, they are 1 to the number of own ones. Elements of other types: elastic_memory.
module parcast_elastic
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    implicit none
    private
    public :: elastic, elastic_dim, elastic_open, elastic_array, elastic_memory, elastic_value, elastic_first_iteration
    public :: elastic_resumed, elastic_resized, elastic_safe_point, elastic_close, elastic_comm
    public :: elastic_whole, elastic_block, elastic_cyclic

    integer(c_int), parameter :: elastic_whole = 0, elastic_block = 1, elastic_cyclic = 2

    type :: elastic
        private
        type(c_ptr) :: handle = c_null_ptr
    end type elastic

    type, bind(c) :: fortran_dim
        integer(c_int64_t) :: size, halo, block
        integer(c_int) :: kind, parts, weighted
    end type fortran_dim

    !> A dimension: elastic_dim(size [, kind] [, halo] [, block] [, parts] [, weighted])
    interface elastic_dim
        module procedure dim_default, dim_int64
    end interface elastic_dim

    !> Register an array of rank 1 to 4 and point to this rank's part of it, zero at first; after a resize in memory the same call
    !> points again. Complex numbers of double precision are complex64 here, after the kind of their parts.
    interface elastic_array
        module procedure array_real64_1, array_real64_2, array_real64_3, array_real64_4
        module procedure array_real32_1, array_real32_2, array_real32_3, array_real32_4
        module procedure array_complex64_1, array_complex64_2, array_complex64_3, array_complex64_4
        module procedure array_complex32_1, array_complex32_2, array_complex32_3, array_complex32_4
        module procedure array_int32_1, array_int32_2, array_int32_3, array_int32_4
        module procedure array_int64_1, array_int64_2, array_int64_3, array_int64_4
    end interface elastic_array

    !> Register a value that is the same on every rank, or a list of such; a target that lives until elastic_close.
    interface elastic_value
        module procedure value_real64, value_real32, value_complex64, value_int32, value_int64, value_logical
        module procedure list_real64, list_int32, list_int64
    end interface elastic_value

    interface
        function open_f(comm, iterations, in_memory) bind(c, name='parcast_elastic_open_f') result(handle)
            import :: c_ptr, c_int, c_int64_t
            integer(c_int), value :: comm
            integer(c_int64_t), value :: iterations
            integer(c_int), value :: in_memory
            type(c_ptr) :: handle
        end function open_f
        function comm_f(handle) bind(c, name='parcast_elastic_comm_f') result(comm)
            import :: c_ptr, c_int
            type(c_ptr), value :: handle
            integer(c_int) :: comm
        end function comm_f
        function add_f(handle, name, element_bytes, n_dims, dims, read_only) bind(c, name='parcast_elastic_add_f') result(array)
            import :: c_ptr, c_int, c_int64_t, c_char, fortran_dim
            type(c_ptr), value :: handle
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int64_t), value :: element_bytes
            integer(c_int), value :: n_dims, read_only
            type(fortran_dim), intent(in) :: dims(*)
            type(c_ptr) :: array
        end function add_f
        subroutine bounds_f(array, n_dims, data, count, first) bind(c, name='parcast_elastic_bounds_f')
            import :: c_ptr, c_int, c_int64_t
            type(c_ptr), value :: array
            integer(c_int), value :: n_dims
            type(c_ptr), intent(out) :: data
            integer(c_int64_t), intent(out) :: count(*), first(*)
        end subroutine bounds_f
        function value_c(handle, name, value, bytes) bind(c, name='parcast_elastic_value') result(status)
            import :: c_ptr, c_int, c_size_t, c_char
            type(c_ptr), value :: handle, value
            character(kind=c_char), intent(in) :: name(*)
            integer(c_size_t), value :: bytes
            integer(c_int) :: status
        end function value_c
        function first_c(handle) bind(c, name='parcast_elastic_first_iteration') result(iteration)
            import :: c_ptr, c_int64_t
            type(c_ptr), value :: handle
            integer(c_int64_t) :: iteration
        end function first_c
        function resumed_c(handle) bind(c, name='parcast_elastic_resumed') result(resumed)
            import :: c_ptr, c_bool
            type(c_ptr), value :: handle
            logical(c_bool) :: resumed
        end function resumed_c
        function resized_f(handle) bind(c, name='parcast_elastic_resized_f') result(resized)
            import :: c_ptr, c_int
            type(c_ptr), value :: handle
            integer(c_int) :: resized
        end function resized_f
        function safe_point_c(handle) bind(c, name='parcast_elastic_safe_point') result(state)
            import :: c_ptr, c_int
            type(c_ptr), value :: handle
            integer(c_int) :: state
        end function safe_point_c
        subroutine close_c(handle) bind(c, name='parcast_elastic_close')
            import :: c_ptr
            type(c_ptr), intent(inout) :: handle
        end subroutine close_c
    end interface

contains

    pure function dim_int64(size, kind, halo, block, parts, weighted) result(made)
        integer(int64), intent(in) :: size
        integer, intent(in), optional :: kind, halo, parts
        integer(int64), intent(in), optional :: block
        logical, intent(in), optional :: weighted
        type(fortran_dim) :: made
        made = fortran_dim(size, 0_c_int64_t, 0_c_int64_t, elastic_whole, 0_c_int, 0_c_int)
        if (present(kind)) made%kind = int(kind, c_int)
        if (present(halo)) made%halo = int(halo, c_int64_t)
        if (present(block)) made%block = block
        if (present(parts)) made%parts = int(parts, c_int)
        if (present(weighted)) made%weighted = merge(1_c_int, 0_c_int, weighted)
    end function dim_int64

    pure function dim_default(size, kind, halo, block, parts, weighted) result(made)
        integer(int32), intent(in) :: size
        integer, intent(in), optional :: kind, halo, parts
        integer(int32), intent(in), optional :: block
        logical, intent(in), optional :: weighted
        type(fortran_dim) :: made
        made = dim_int64(int(size, int64), kind, halo, parts=parts, weighted=weighted)
        if (present(block)) made%block = int(block, int64)
    end function dim_default

    !> `in_memory`: the program can go on with other ranks; see elastic_resized.
    subroutine elastic_open(e, comm, iterations, in_memory)
        type(elastic), intent(out) :: e
        integer, intent(in) :: comm
        integer, intent(in), optional :: iterations
        logical, intent(in), optional :: in_memory
        integer(c_int64_t) :: n
        integer(c_int) :: memory
        n = 0
        memory = 0
        if (present(iterations)) n = int(iterations, c_int64_t)
        if (present(in_memory)) memory = merge(1_c_int, 0_c_int, in_memory)
        e%handle = open_f(int(comm, c_int), n, memory)
    end subroutine elastic_open

    integer function elastic_comm(e)
        type(elastic), intent(in) :: e
        elastic_comm = comm_f(e%handle)
    end function elastic_comm

    !> Memory of an array of any element: `count` own indices from `first` on, 1-based; both without the halo.
    subroutine elastic_memory(e, name, element_bytes, dims, memory, count, first, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        integer(int64), intent(in) :: element_bytes
        type(fortran_dim), intent(in) :: dims(:)
        type(c_ptr), intent(out) :: memory
        integer(c_int64_t), intent(out) :: count(:), first(:)
        logical, intent(in), optional :: read_only
        type(c_ptr) :: array
        integer(c_int) :: saved, n
        saved = 0
        n = int(size(dims), c_int)
        if (present(read_only)) saved = merge(1_c_int, 0_c_int, read_only)
        array = add_f(e%handle, trim(name)//c_null_char, element_bytes, n, dims, saved)
        call bounds_f(array, n, memory, count, first)
        first = first + 1
    end subroutine elastic_memory

    !> Memory, lower bounds and extents with the halo.
    type(c_ptr) function place(e, name, bits, dims, read_only, low, extent)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        integer, intent(in) :: bits
        type(fortran_dim), intent(in) :: dims(:)
        logical, intent(in), optional :: read_only
        integer(c_int64_t), intent(out) :: low(:), extent(:)
        integer(c_int64_t) :: count(size(dims)), first(size(dims))
        call elastic_memory(e, name, int(bits/8, int64), dims, place, count, first, read_only)
        where (dims%kind == elastic_cyclic) first = 1
        low = first - dims%halo
        extent = count + 2*dims%halo
    end function place

    subroutine array_real64_1(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        real(real64), pointer, intent(out) :: array(:)
        type(fortran_dim), intent(in) :: dims(1)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(1), extent(1)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):) => array
    end subroutine array_real64_1

    subroutine array_real64_2(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        real(real64), pointer, intent(out) :: array(:, :)
        type(fortran_dim), intent(in) :: dims(2)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(2), extent(2)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):) => array
    end subroutine array_real64_2

    subroutine array_real64_3(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        real(real64), pointer, intent(out) :: array(:, :, :)
        type(fortran_dim), intent(in) :: dims(3)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(3), extent(3)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):, low(3):) => array
    end subroutine array_real64_3

    subroutine array_real64_4(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        real(real64), pointer, intent(out) :: array(:, :, :, :)
        type(fortran_dim), intent(in) :: dims(4)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(4), extent(4)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):, low(3):, low(4):) => array
    end subroutine array_real64_4

    subroutine array_real32_1(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        real(real32), pointer, intent(out) :: array(:)
        type(fortran_dim), intent(in) :: dims(1)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(1), extent(1)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):) => array
    end subroutine array_real32_1

    subroutine array_real32_2(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        real(real32), pointer, intent(out) :: array(:, :)
        type(fortran_dim), intent(in) :: dims(2)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(2), extent(2)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):) => array
    end subroutine array_real32_2

    subroutine array_real32_3(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        real(real32), pointer, intent(out) :: array(:, :, :)
        type(fortran_dim), intent(in) :: dims(3)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(3), extent(3)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):, low(3):) => array
    end subroutine array_real32_3

    subroutine array_real32_4(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        real(real32), pointer, intent(out) :: array(:, :, :, :)
        type(fortran_dim), intent(in) :: dims(4)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(4), extent(4)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):, low(3):, low(4):) => array
    end subroutine array_real32_4

    subroutine array_complex64_1(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        complex(real64), pointer, intent(out) :: array(:)
        type(fortran_dim), intent(in) :: dims(1)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(1), extent(1)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):) => array
    end subroutine array_complex64_1

    subroutine array_complex64_2(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        complex(real64), pointer, intent(out) :: array(:, :)
        type(fortran_dim), intent(in) :: dims(2)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(2), extent(2)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):) => array
    end subroutine array_complex64_2

    subroutine array_complex64_3(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        complex(real64), pointer, intent(out) :: array(:, :, :)
        type(fortran_dim), intent(in) :: dims(3)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(3), extent(3)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):, low(3):) => array
    end subroutine array_complex64_3

    subroutine array_complex64_4(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        complex(real64), pointer, intent(out) :: array(:, :, :, :)
        type(fortran_dim), intent(in) :: dims(4)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(4), extent(4)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):, low(3):, low(4):) => array
    end subroutine array_complex64_4

    subroutine array_complex32_1(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        complex(real32), pointer, intent(out) :: array(:)
        type(fortran_dim), intent(in) :: dims(1)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(1), extent(1)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):) => array
    end subroutine array_complex32_1

    subroutine array_complex32_2(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        complex(real32), pointer, intent(out) :: array(:, :)
        type(fortran_dim), intent(in) :: dims(2)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(2), extent(2)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):) => array
    end subroutine array_complex32_2

    subroutine array_complex32_3(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        complex(real32), pointer, intent(out) :: array(:, :, :)
        type(fortran_dim), intent(in) :: dims(3)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(3), extent(3)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):, low(3):) => array
    end subroutine array_complex32_3

    subroutine array_complex32_4(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        complex(real32), pointer, intent(out) :: array(:, :, :, :)
        type(fortran_dim), intent(in) :: dims(4)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(4), extent(4)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):, low(3):, low(4):) => array
    end subroutine array_complex32_4

    subroutine array_int32_1(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        integer(int32), pointer, intent(out) :: array(:)
        type(fortran_dim), intent(in) :: dims(1)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(1), extent(1)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):) => array
    end subroutine array_int32_1

    subroutine array_int32_2(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        integer(int32), pointer, intent(out) :: array(:, :)
        type(fortran_dim), intent(in) :: dims(2)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(2), extent(2)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):) => array
    end subroutine array_int32_2

    subroutine array_int32_3(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        integer(int32), pointer, intent(out) :: array(:, :, :)
        type(fortran_dim), intent(in) :: dims(3)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(3), extent(3)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):, low(3):) => array
    end subroutine array_int32_3

    subroutine array_int32_4(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        integer(int32), pointer, intent(out) :: array(:, :, :, :)
        type(fortran_dim), intent(in) :: dims(4)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(4), extent(4)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):, low(3):, low(4):) => array
    end subroutine array_int32_4

    subroutine array_int64_1(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        integer(int64), pointer, intent(out) :: array(:)
        type(fortran_dim), intent(in) :: dims(1)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(1), extent(1)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):) => array
    end subroutine array_int64_1

    subroutine array_int64_2(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        integer(int64), pointer, intent(out) :: array(:, :)
        type(fortran_dim), intent(in) :: dims(2)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(2), extent(2)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):) => array
    end subroutine array_int64_2

    subroutine array_int64_3(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        integer(int64), pointer, intent(out) :: array(:, :, :)
        type(fortran_dim), intent(in) :: dims(3)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(3), extent(3)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):, low(3):) => array
    end subroutine array_int64_3

    subroutine array_int64_4(e, name, array, dims, read_only)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        integer(int64), pointer, intent(out) :: array(:, :, :, :)
        type(fortran_dim), intent(in) :: dims(4)
        logical, intent(in), optional :: read_only
        integer(c_int64_t) :: low(4), extent(4)
        call c_f_pointer(place(e, name, storage_size(array), dims, read_only, low, extent), array, extent)
        array(low(1):, low(2):, low(3):, low(4):) => array
    end subroutine array_int64_4

    subroutine value(e, name, memory, bits)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        type(c_ptr), intent(in) :: memory
        integer(int64), intent(in) :: bits
        integer(c_int) :: status
        status = value_c(e%handle, trim(name)//c_null_char, memory, int(bits/8, c_size_t))
    end subroutine value

    subroutine value_real64(e, name, scalar)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        real(real64), target, intent(inout) :: scalar
        call value(e, name, c_loc(scalar), storage_size(scalar, int64))
    end subroutine value_real64

    subroutine value_real32(e, name, scalar)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        real(real32), target, intent(inout) :: scalar
        call value(e, name, c_loc(scalar), storage_size(scalar, int64))
    end subroutine value_real32

    subroutine value_complex64(e, name, scalar)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        complex(real64), target, intent(inout) :: scalar
        call value(e, name, c_loc(scalar), storage_size(scalar, int64))
    end subroutine value_complex64

    subroutine value_int32(e, name, scalar)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        integer(int32), target, intent(inout) :: scalar
        call value(e, name, c_loc(scalar), storage_size(scalar, int64))
    end subroutine value_int32

    subroutine value_int64(e, name, scalar)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        integer(int64), target, intent(inout) :: scalar
        call value(e, name, c_loc(scalar), storage_size(scalar, int64))
    end subroutine value_int64

    subroutine value_logical(e, name, scalar)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        logical, target, intent(inout) :: scalar
        call value(e, name, c_loc(scalar), storage_size(scalar, int64))
    end subroutine value_logical

    subroutine list_real64(e, name, list)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        real(real64), target, contiguous, intent(inout) :: list(:)
        call value(e, name, c_loc(list), storage_size(list, int64)*size(list, kind=int64))
    end subroutine list_real64

    subroutine list_int32(e, name, list)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        integer(int32), target, contiguous, intent(inout) :: list(:)
        call value(e, name, c_loc(list), storage_size(list, int64)*size(list, kind=int64))
    end subroutine list_int32

    subroutine list_int64(e, name, list)
        type(elastic), intent(in) :: e
        character(*), intent(in) :: name
        integer(int64), target, contiguous, intent(inout) :: list(:)
        call value(e, name, c_loc(list), storage_size(list, int64)*size(list, kind=int64))
    end subroutine list_int64

    !> Iterations that are done: 0, or that of the checkpoint.
    integer function elastic_first_iteration(e)
        type(elastic), intent(in) :: e
        integer(c_int64_t) :: first
        first = first_c(e%handle)
        if (first > huge(elastic_first_iteration)) error stop 'elastic_first_iteration: more iterations than an integer counts'
        elastic_first_iteration = int(first)
    end function elastic_first_iteration

    logical function elastic_resumed(e)
        type(elastic), intent(in) :: e
        elastic_resumed = logical(resumed_c(e%handle))
    end function elastic_resumed

    !> After a safe point that was true: the ranks are others now, in memory. Call elastic_first_iteration, ask for the arrays
    !> again (elastic_array with the same name sets the pointer), compute with elastic_comm, and go on.
    logical function elastic_resized(e)
        type(elastic), intent(in) :: e
        elastic_resized = resized_f(e%handle) /= 0
    end function elastic_resized

    !> The head of an iteration. True: leave the loop, close, finalize, print no result: others go on.
    logical function elastic_safe_point(e)
        type(elastic), intent(in) :: e
        elastic_safe_point = safe_point_c(e%handle) /= 0
    end function elastic_safe_point

    subroutine elastic_close(e)
        type(elastic), intent(inout) :: e
        call close_c(e%handle)
    end subroutine elastic_close
end module parcast_elastic
