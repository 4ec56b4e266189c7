! Arrays of a derived type without allocatable components that are assigned whole (0), as sections (1), one by
! one (2). ARGUMENTS: way.
module m
   type point
      real(8) :: a, b
   end type
contains
   subroutine kernel(way, x, y, n)
      integer :: way, n, i
      type(point) :: x(n), y(n)
      do i = 1, n
         y(i)%a = 2*x(i)%a
         y(i)%b = 3*x(i)%b
      end do
      if (way == 0) x = y
      if (way == 1) x(1:n) = y(1:n)
      if (way == 2) then
         do i = 1, n
            x(i) = y(i)
         end do
      end if
      do i = 2, n
         y(i)%a = x(i - 1)%a + 1
         y(i)%b = x(i - 1)%b*2
      end do
   end subroutine
end module
program p
   use m
   type(point), allocatable :: x(:), y(:)
   character(9) :: word
   integer :: way, i
   call get_command_argument(1, word); read (word, *) way
   allocate (x(16), y(16))
   do i = 1, 16
      x(i) = point(i, 2*i)
   end do
   call kernel(way, x, y, 16)
   print *, sum(y%a), sum(y%b)
end program
