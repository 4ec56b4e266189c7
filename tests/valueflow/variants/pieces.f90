! Fields in one work array, as Fortran 77 passes them on.
subroutine step(n, m, u, w, factor)
  implicit none
  integer, intent(in) :: n, m
  real(8) :: u(m, n), w(m, n), factor(m, n)
  integer :: i, j
  do i = 2, n - 1
    do j = 2, m - 1
      w(j, i) = u(j, i) + factor(j, i) * (u(j - 1, i) + u(j + 1, i) + u(j, i - 1) + u(j, i + 1))
    end do
  end do
  do i = 2, n - 1
    do j = 2, m - 1
      u(j, i) = w(j, i)
    end do
  end do
end subroutine step

subroutine kernel(n, m, steps, work)
  implicit none
  integer, intent(in) :: n, m, steps
  real(8) :: work(*)
  integer :: t
  do t = 1, steps
    call step(n, m, work(1), work(n * m + 1), work(2 * n * m + 4))
  end do
end subroutine kernel

program pieces
  implicit none
  integer, parameter :: n = 26, m = 22
  real(8), allocatable :: work(:)
  integer :: i
  allocate (work(3 * n * m + 10))
  do i = 1, size(work)
    work(i) = mod(i, 7)
  end do
  call kernel(n, m, 3, work)
  print *, work(m + 2)
end program pieces
