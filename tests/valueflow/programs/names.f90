! Arrays of a module and in common; what the argument says is no news.
module plate
  implicit none
  integer, parameter :: n = 16
  real(8) :: cold(n, n), hot(n, n)
  type field
    real(8), allocatable :: past(:, :), present(:, :)
    real(8), pointer :: future(:, :), never(:, :)
  end type field
contains
  subroutine make_components(f)
    type(field), intent(inout) :: f
    allocate(f%past(n, n), f%present(n, n))
    allocate(f%future(n, n), f%never(n, n))
  end subroutine make_components
  subroutine make(made)
    real(8), allocatable, intent(out) :: made(:, :)
    allocate(made(n, n))
    made = 1
  end subroutine make
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
  subroutine in_frame(m, x)
    integer, intent(in) :: m
    real(8), intent(out) :: x
    real(8) :: warm(m, m), lukewarm(m, m)
    warm = 1
    lukewarm = 1
    call cool(lukewarm, warm)
    call cool(warm, lukewarm)
    x = warm(2, 2)
  end subroutine in_frame
end module plate

program names
  use plate
  implicit none
  character(8) :: how
  real(8) :: shared(n, n, 2)
  type(field) :: f
  real(8), allocatable :: left(:, :), right(:, :)
  common /state/ shared
  call get_command_argument(1, how)
  if (trim(how) == 'module') then
    call cool(cold, hot)
    call cool(hot, cold)
    print *, modulo(hot(2, 2), 3d0)
  else if (trim(how) == 'present') then
    call make_components(f)
    call cool(f%present, f%past)
    call cool(f%past, f%present)
    print *, f%past(2, 2)
  else if (trim(how) == 'never') then
    call make_components(f)
    call cool(f%never, f%future)
    call cool(f%future, f%never)
    print *, f%future(2, 2)
  else if (trim(how) == 'dummies') then
    call make(left)
    call make(right)
    call cool(right, left)
    call cool(left, right)
    print *, left(2, 2)
  else if (trim(how) == 'frame') then
    call in_frame(n, shared(1, 1, 1))
    print *, shared(1, 1, 1)
  else if (trim(how) == 'line') then
    allocate(left(n, n), right(n, n))
    call cool(left, right)
    call cool(right, left)
    print *, left(2, 2)
  else if (trim(how) == 'first') then
    allocate(f%past(n, n), f%present(n, n))
    call cool(f%present, f%past)
    call cool(f%past, f%present)
    print *, f%past(2, 2)
  else
    call cool(shared(:, :, 1), shared(:, :, 2))
    call cool(shared(:, :, 2), shared(:, :, 1))
    print *, shared(2, 2, 1)
  end if
end program names
