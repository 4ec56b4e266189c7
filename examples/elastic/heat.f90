! elastic heat: a hot plate cools down, in Fortran, on a number of ranks that changes while it does.
!
! SIZE x SIZE inner points, u = 0 on the rim; a step replaces every point by the mean of its four neighbours. Columns are dealt
! to the ranks in blocks. After k steps u = cos(pi h)^k sin(pi x) sin(pi y), h = 1/(SIZE + 1), which is checked at every point.
! The result is the same to the last bit however often the run moves.
!
!   mpirun -n 4 elastic_heat SIZE STEPS
!   parcast run --schedule 0:2,100:4 -- elastic_heat SIZE STEPS
program heat
    use mpi
    use parcast_elastic
    use, intrinsic :: iso_fortran_env, only: int64, real64, error_unit
    implicit none
    real(real64), parameter :: pi = 3.14159265358979323846_real64, error_limit = 1e-9_real64
    type(elastic) :: e
    real(real64), pointer :: u(:, :)
    real(real64), allocatable :: left(:), here(:)
    integer :: n, n_steps, k, rank, n_ranks, comm, first, last, before, behind, status, code
    logical :: leave

    call MPI_Init(code)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
    call MPI_Comm_size(MPI_COMM_WORLD, n_ranks, code)
    if (.not. read_arguments(n, n_steps)) then
        if (rank == 0) write (error_unit, '(a)') 'usage: elastic_heat SIZE STEPS   (SIZE 2 to 100000)'
        call MPI_Finalize(code)
        stop 2
    end if

    call elastic_open(e, MPI_COMM_WORLD, iterations=n_steps, in_memory=.true.)
    call find_array()
    allocate (left(0:n + 1), here(0:n + 1))

    status = 0
    do ! again after every resize in memory, where communicator and array are others
        k = elastic_first_iteration(e)
        call settle()
        if (.not. elastic_resumed(e)) call start()
        leave = iterate()
        if (.not. leave) exit
        if (.not. elastic_resized(e)) exit
    end do
    if (.not. leave) status = report()
    call elastic_close(e)
    call MPI_Finalize(code)
    if (status /= 0) stop 1

contains

    logical function read_arguments(size, steps)
        integer, intent(out) :: size, steps
        character(32) :: word
        integer :: bad
        size = 0
        steps = 0
        read_arguments = command_argument_count() == 2
        if (.not. read_arguments) return
        call get_command_argument(1, word)
        read (word, *, iostat=bad) size
        read_arguments = bad == 0 .and. size >= 2 .and. size <= 100000
        call get_command_argument(2, word)
        read (word, *, iostat=bad) steps
        read_arguments = read_arguments .and. bad == 0 .and. steps >= 1
    end function read_arguments

    subroutine find_array()
        call elastic_array(e, 'u', u, [elastic_dim(n, halo=1), elastic_dim(n, elastic_block, halo=1)])
    end subroutine find_array

    subroutine settle()
        call find_array()
        comm = elastic_comm(e)
        call MPI_Comm_rank(comm, rank, code)
        call MPI_Comm_size(comm, n_ranks, code)
        first = lbound(u, 2) + 1
        last = ubound(u, 2) - 1
        before = merge(rank - 1, MPI_PROC_NULL, first > 1 .and. last >= first)
        behind = merge(rank + 1, MPI_PROC_NULL, last < n .and. last >= first)
    end subroutine settle

    subroutine start()
        integer :: j
        do j = first, last
            u(1:n, j) = mode(j)
        end do
    end subroutine start

    !> True when a safe point ended it.
    logical function iterate()
        iterate = .false.
        do while (k < n_steps)
            iterate = elastic_safe_point(e)
            if (iterate) return
            call exchange()
            call step()
            k = k + 1
        end do
    end function iterate

    !> sin(pi x) sin(pi y) on a column
    function mode(column) result(values)
        integer, intent(in) :: column
        real(real64) :: values(n), h
        integer :: i
        h = 1/real(n + 1, real64)
        values = [(sin(pi*h*i)*sin(pi*h*column), i=1, n)]
    end function mode

    subroutine exchange()
        call MPI_Sendrecv(u(0, first), n + 2, MPI_DOUBLE_PRECISION, before, 0, u(0, last + 1), n + 2, MPI_DOUBLE_PRECISION, &
                          behind, 0, comm, MPI_STATUS_IGNORE, code)
        call MPI_Sendrecv(u(0, last), n + 2, MPI_DOUBLE_PRECISION, behind, 1, u(0, first - 1), n + 2, MPI_DOUBLE_PRECISION, &
                          before, 1, comm, MPI_STATUS_IGNORE, code)
    end subroutine exchange

    !> In place: the column on the left and this one are remembered as they were.
    subroutine step()
        integer :: i, column
        left = u(:, first - 1)
        do column = first, last
            here = u(:, column)
            do i = 1, n
                u(i, column) = 0.25_real64*(here(i - 1) + here(i + 1) + left(i) + u(i, column + 1))
            end do
            left = here
        end do
    end subroutine step

    integer function report()
        real(real64) :: largest, all_largest, amplitude
        integer(int64) :: bits, all_bits
        integer :: i, column
        amplitude = cos(pi/(n + 1))**n_steps
        largest = 0
        bits = 0
        do column = first, last
            largest = max(largest, maxval(abs(u(1:n, column) - amplitude*mode(column)))/amplitude)
            do i = 1, n
                bits = ieor(bits, ishftc(transfer(u(i, column), bits), mod(i + 31*column, 64)))
            end do
        end do
        call MPI_Allreduce(largest, all_largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, comm, code)
        call MPI_Allreduce(bits, all_bits, 1, MPI_INTEGER8, MPI_BXOR, comm, code)
        report = merge(0, 1, all_largest <= error_limit)
        if (rank == 0) write (*, '(a, i0, a, i0, a, i0, a, i0, a, z16.16, a, es7.1, a, a)') 'heat: ', n, ' x ', n, ' points, ', &
            n_steps, ' steps, ended on ', n_ranks, ' ranks: bits ', all_bits, ', error ', all_largest, ': ', &
            trim(merge('correct', 'WRONG  ', report == 0))
    end function report
end program heat
