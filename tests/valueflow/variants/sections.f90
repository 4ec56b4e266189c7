! sections WAY N TIMES: rows of a plane are smoothed in a procedure that wants the elements side by side, so that they
! are copied in and out (0), or takes any section (1).
module lines
   implicit none
contains
   subroutine smooth(x, n)
      integer, intent(in) :: n
      real(8), intent(inout) :: x(n)
      real(8) :: y(n)
      integer :: i
      y = x
      do i = 2, n - 1
         x(i) = 0.5d0*y(i) + 0.25d0*(y(i - 1) + y(i + 1))
      end do
   end subroutine

   subroutine smooth_any(x)
      real(8), intent(inout) :: x(:)
      real(8) :: y(size(x))
      integer :: i
      y = x
      do i = 2, size(x) - 1
         x(i) = 0.5d0*y(i) + 0.25d0*(y(i - 1) + y(i + 1))
      end do
   end subroutine
end module

subroutine kernel(u, n, way, times)
   use lines
   implicit none
   integer, intent(in) :: n, way, times
   real(8), intent(inout) :: u(n, n)
   integer :: i, j, t
   do j = 1, n
      do i = 1, n
         u(i, j) = sin(0.1d0*i*j)
      end do
   end do
   do t = 1, times
      do i = 1, n
         if (way == 0) call smooth(u(i, :), n)
         if (way == 1) call smooth_any(u(i, :))
      end do
   end do
end subroutine

program sections
   implicit none
   integer :: n, way, times
   character(16) :: text
   real(8), allocatable :: u(:, :)
   call get_command_argument(1, text)
   read (text, *) way
   call get_command_argument(2, text)
   read (text, *) n
   call get_command_argument(3, text)
   read (text, *) times
   allocate (u(n, n))
   call kernel(u, n, way, times)
   print *, sum(u)
end program
