! complex WAY: one complex number for all words in ways 1 to 5, one for each row in ways 6 to 8.
program main
   implicit none
   integer, parameter :: n = 64
   complex(8), allocatable :: a(:, :)
   complex(4), allocatable :: b(:, :)
   complex(8) :: out(n) = 0
   real(8) :: parts(2, n, n)
   character(8) :: argument
   integer :: way
   allocate (a(n, n), b(n, n))
   call random_number(parts)
   a = cmplx(parts(1, :, :), parts(2, :, :), 8)
   b = cmplx(a, kind=4)
   call get_command_argument(1, argument)
   read (argument, *) way
   call kernel(a, b, out, way)
   print *, sum(out)

contains
   subroutine kernel(a, b, out, way)
      complex(8), intent(inout) :: a(n, n), out(n)
      complex(4), intent(inout) :: b(n, n)
      integer, intent(in) :: way
      integer :: j
      do j = 1, n
         a(:, j) = 2*a(:, j)
         b(:, j) = 2*b(:, j)
      end do
      select case (way)
      case (1)
         out(1) = sum(a)
      case (2)
         out(1) = sum(b)
      case (3)
         out(1) = product(a)
      case (4)
         out(1) = sum(a, mask=abs(a) > 1)
      case (5)
         out(1) = product(b)
      case (6)
         out = sum(a, dim=2)
      case (7)
         out = sum(b, dim=2)
      case (8)
         out = product(a, dim=2)
      end select
   end subroutine
end program
