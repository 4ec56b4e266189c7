! A region of Fortran that calls a library which is not instrumented.
program constructs
   implicit none
   integer, parameter :: n = 100
   real(8), allocatable :: a(:), b(:)
   integer :: i
   allocate(a(n), b(n))
   do i = 1, n
      a(i) = n - i
   end do
   call kernel(a, b)
   print *, b(7)
contains
   subroutine kernel(x, y)
      real(8), intent(inout) :: x(n), y(n)
      interface
         subroutine outside_shift(v, m, by) bind(c)
            real(8) :: v(*)
            integer(8), value :: m
            real(8), value :: by
         end subroutine
      end interface
      integer :: k
      do k = 1, n
         y(k) = 2 * x(k)
      end do
      call outside_shift(y, 50_8, x(5)) ! shift
      do k = 1, n
         y(k) = y(k) + x(k)
      end do
   end subroutine
end program
