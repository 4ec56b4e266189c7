! Arrays of a module and in common; what the argument says is no news.
module plate
  implicit none
  integer, parameter :: n = 16
  real(8) :: cold(n, n), hot(n, n)
contains
  subroutine cool(to, from)
    real(8), intent(inout) :: to(n, n)
    real(8), intent(in) :: from(n, n)
    integer :: i, j
    do j = 2, n - 1
      do i = 2, n - 1
        to(i, j) = 0.2d0 * (from(i, j) + from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1))
      end do
    end do
  end subroutine cool
end module plate

program names
  use plate
  implicit none
  character(8) :: how
  real(8) :: shared(n, n, 2)
  common /state/ shared
  call get_command_argument(1, how)
  if (trim(how) == 'module') then
    call cool(cold, hot)
    call cool(hot, cold)
    print *, modulo(hot(2, 2), 3d0)
  else
    call cool(shared(:, :, 1), shared(:, :, 2))
    call cool(shared(:, :, 2), shared(:, :, 1))
    print *, shared(2, 2, 1)
  end if
end program names
