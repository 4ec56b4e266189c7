! Arrays and values of every type and rank in Fortran: every element follows from its global indices and the iteration, and is
! held against that in every iteration. Prints "types: 0 wrong" in the end, or aborts at a size that is wrong.
!
!   elastic_types ITERATIONS
program types
    use mpi
    use parcast_elastic
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    implicit none
    integer, parameter :: n = 31
    type(elastic) :: e
    real(real64), pointer :: u(:, :), cube(:, :, :)
    real(real32), pointer :: single(:)
    complex(real64), pointer :: wide(:, :)
    complex(real32), pointer :: weighted(:)
    integer(int32), pointer :: everywhere(:, :), four(:, :, :, :)
    integer(int64), pointer :: few(:)
    real(real64), target :: time
    complex(real64), target :: turn
    integer(int32), target :: seed(8)
    logical, target :: odd
    integer :: k, n_steps, rank, code, wrong
    character(32) :: word
    logical :: leave

    call MPI_Init(code)
    call get_command_argument(1, word)
    read (word, *) n_steps
    call elastic_open(e, MPI_COMM_WORLD, iterations=n_steps, in_memory=.true.)
    call find_arrays()
    time = 0
    turn = 0
    seed = 1
    odd = .false.
    call elastic_value(e, 'time', time)
    call elastic_value(e, 'turn', turn)
    call elastic_value(e, 'seed', seed)
    call elastic_value(e, 'odd', odd)
    wrong = 0
    do
        k = elastic_first_iteration(e)
        call find_arrays()
        if (.not. elastic_resumed(e)) call visit(.true.)
        leave = .false.
        do while (k < n_steps)
            leave = elastic_safe_point(e)
            if (leave) exit
            call visit(.false.)
            call check_values()
            k = k + 1
            call visit(.true.)
            time = time + 0.5_real64
            turn = turn + (0, 1)
            seed = seed + 3
            odd = .not. odd
        end do
        if (.not. leave) exit
        if (.not. elastic_resized(e)) exit
    end do
    if (wrong /= 0) call MPI_Abort(MPI_COMM_WORLD, 3, code)
    if (.not. leave) then
        call MPI_Comm_rank(elastic_comm(e), rank, code)
        if (rank == 0) print '(a, i0, a)', 'types: ', wrong, ' wrong'
    end if
    call elastic_close(e)
    call MPI_Finalize(code)

contains

    subroutine find_arrays()
        call elastic_array(e, 'u', u, [elastic_dim(n, halo=1), elastic_dim(n, elastic_block, halo=1)])
        call elastic_array(e, 'cube', cube, [elastic_dim(5, elastic_block, halo=1), elastic_dim(6), elastic_dim(9, elastic_block)])
        call elastic_array(e, 'single', single, [elastic_dim(101, elastic_cyclic)])
        call elastic_array(e, 'wide', wide, [elastic_dim(13, elastic_block), elastic_dim(11, elastic_cyclic, block=2)])
        call elastic_array(e, 'weighted', weighted, [elastic_dim(77, elastic_block, weighted=.true.)])
        call elastic_array(e, 'everywhere', everywhere, [elastic_dim(3), elastic_dim(4)])
        call elastic_array(e, 'four', four, [elastic_dim(3), elastic_dim(4), elastic_dim(2), elastic_dim(7, elastic_block)])
        call elastic_array(e, 'few', few, [elastic_dim(2_int64, elastic_block)]) ! more ranks than elements
    end subroutine find_arrays

    subroutine check_values()
        if (time /= 0.5_real64*k .or. aimag(turn) /= k .or. any(seed /= 1 + 3*k)) wrong = wrong + 1
        if (odd .neqv. mod(k, 2) == 1) wrong = wrong + 1
    end subroutine check_values

    subroutine count_wrong(right)
        logical, intent(in) :: right
        if (.not. right) wrong = wrong + 1
    end subroutine count_wrong

    !> Own cells only: a halo is the program's. Bounds are global indices, but in cyclic dimensions.
    subroutine visit(write)
        logical, intent(in) :: write
        integer :: a, b, c
        do b = lbound(u, 2) + 1, ubound(u, 2) - 1
            do a = 1, n
                if (write) u(a, b) = 1000*a + b + k
                call count_wrong(u(a, b) == 1000*a + b + k)
            end do
        end do
        do c = lbound(cube, 3), ubound(cube, 3)
            do b = 1, 6
                do a = lbound(cube, 1) + 1, ubound(cube, 1) - 1
                    if (write) cube(a, b, c) = 100*a + 10000*b + c + k
                    call count_wrong(cube(a, b, c) == 100*a + 10000*b + c + k)
                end do
            end do
        end do
        do b = 1, ubound(wide, 2)
            do a = lbound(wide, 1), ubound(wide, 1)
                if (write) wide(a, b) = cmplx(a, k, real64)
                call count_wrong(wide(a, b) == cmplx(a, k, real64))
            end do
        end do
        do a = lbound(weighted, 1), ubound(weighted, 1)
            if (write) weighted(a) = cmplx(a, -k)
            call count_wrong(weighted(a) == cmplx(a, -k))
        end do
        do a = lbound(four, 4), ubound(four, 4)
            if (write) four(:, :, :, a) = 10*a + k
            call count_wrong(all(four(:, :, :, a) == 10*a + k))
        end do
        do a = int(lbound(few, 1)), int(ubound(few, 1))
            if (write) few(a) = a + k
            call count_wrong(few(a) == a + k)
        end do
        if (write) single = real(k)
        if (write) everywhere = k
        call count_wrong(all(single == real(k)) .and. all(everywhere == k) .and. lbound(u, 1) == 0 .and. ubound(u, 1) == n + 1)
    end subroutine visit
end program types
