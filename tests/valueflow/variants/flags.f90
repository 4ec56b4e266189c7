! Flags of a line of points, of what the two neighbours of each hold: merged, set by branches, where, and masks.
subroutine kernel(u, v, w, n, way, times)
  implicit none
  integer, intent(in) :: n, way, times
  real(8), intent(inout) :: u(n), v(n), w(n)
  integer :: t, i
  logical :: more(n)
  do t = 1, times
    do i = 1, n
      u(i) = 0.75d0 * u(i) + 0.1d0 * w(i) + 0.01d0 * mod(i, 5)
    end do
    select case (way)
    case (0)
      v(2:n - 1) = merge(1d0, 0d0, u(1:n - 2) > u(3:n))
    case (1)
      do i = 2, n - 1
        if (u(i - 1) > u(i + 1)) then
          v(i) = 1
        else
          v(i) = 0
        end if
      end do
    case (2)
      where (u(1:n - 2) > u(3:n))
        v(2:n - 1) = 1
      elsewhere
        v(2:n - 1) = 0
      end where
    case (3)
      v = 0
      where (u(1:n - 2) > u(3:n)) v(2:n - 1) = 1
    case (4)
      more = .false.
      more(2:n - 1) = u(1:n - 2) > u(3:n)
      do i = 1, n
        if (more(i)) then
          v(i) = 1
        else
          v(i) = 0
        end if
      end do
    case (5)
      do concurrent (i = 2:n - 1)
        if (u(i - 1) > u(i + 1)) then
          v(i) = 1
        else
          v(i) = 0
        end if
      end do
    end select
    do i = 1, n
      w(i) = w(i) + v(i)
    end do
  end do
end subroutine

program main
  implicit none
  integer, parameter :: n = 24
  real(8), allocatable :: u(:), v(:), w(:)
  integer :: i, way
  character(16) :: argument
  allocate (u(n), v(n), w(n))
  call get_command_argument(1, argument)
  read (argument, *) way
  do i = 1, n
    u(i) = sin(dble((i - 1)**2))
    w(i) = cos(3d0 * (i - 1))
  end do
  v = 0
  call kernel(u, v, w, n, way, 4)
  print *, sum(w)
end program
