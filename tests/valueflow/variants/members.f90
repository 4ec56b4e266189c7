! members WAY N TIMES: sweeps from one plane of a block in common to another and back. WAY 0: each has a block; 1: one
! block, with a rim between them, which another procedure sees as one array.
module sizes
   implicit none
   integer, parameter :: n = 32
end module

subroutine sweep(from, to)
   use sizes
   implicit none
   real(8), intent(in) :: from(n, n)
   real(8), intent(inout) :: to(n, n)
   integer :: i, j
   do j = 2, n - 1
      do i = 2, n - 1
         to(i, j) = from(i, j) + 0.1d0*(from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1))
      end do
   end do
end subroutine

subroutine kernel(way, times)
   use sizes
   implicit none
   integer, intent(in) :: way, times
   real(8) :: u, v, first(n, n), second(n, n), rim(n + 1)
   common /one/ u(n, n)
   common /other/ v(n, n)
   common /both/ first, rim, second
   integer :: t
   do t = 1, times
      if (way == 0) then
         call sweep(u, v)
         call sweep(v, u)
      else
         call sweep(first, second)
         call sweep(second, first)
      end if
   end do
end subroutine

subroutine fill
   use sizes
   implicit none
   real(8) :: u, v, all(2*n*n + n + 1)
   common /one/ u(n, n)
   common /other/ v(n, n)
   common /both/ all
   integer :: i, j
   all = 1
   do j = 1, n
      do i = 1, n
         u(i, j) = mod(i*7 + j*13, 11)
      end do
   end do
   v = u
   all(1:n*n) = reshape(u, [n*n])
   all(n*n + n + 2:) = reshape(u, [n*n])
end subroutine

program main
   use sizes
   implicit none
   real(8) :: u, first(n, n), rim(n + 1), second(n, n)
   common /one/ u(n, n)
   common /both/ first, rim, second
   integer :: way, times
   character(32) :: word
   call get_command_argument(1, word)
   read (word, *) way
   call get_command_argument(3, word)
   read (word, *) times
   call fill
   call kernel(way, times)
   if (way == 0) print *, u(n/2, n/2)
   if (way == 1) print *, first(n/2, n/2)
end program
