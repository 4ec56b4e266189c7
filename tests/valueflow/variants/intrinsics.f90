! Functions of whole arrays. Each line is a case of its own: the argument says which.
program main
   implicit none
   integer, parameter :: n = 24
   real(8) :: a(n, n), b(n, n), c(n, n), x(n*n), y(n*n), r(8)
   character(len=8) :: argument
   integer :: which
   call get_command_argument(1, argument)
   read (argument, *) which
   call random_number(a)
   call random_number(b)
   call random_number(x)
   call random_number(y)
   c = 0
   r = 0
   call kernel(a, b, c, x, y, r, which)
   print *, sum(c), sum(x), sum(r)
contains
   subroutine kernel(a, b, c, x, y, r, which)
      real(8), intent(inout) :: a(n, n), b(n, n), c(n, n), x(n*n), y(n*n), r(8)
      integer, intent(in) :: which
      integer :: s
      select case (which)
      case (1)
         c = matmul(a, b)
      case (2)
         do s = 1, 5
            x = 0.5d0*(cshift(x, 1) + cshift(x, -1))
         end do
      case (3)
         do s = 1, 5
            x = 0.5d0*(eoshift(x, 1) + eoshift(x, -1))
         end do
      case (4)
         r(1) = minval(a)
         r(2) = norm2(x)
         r(3) = product(x)
         r(4) = dot_product(x, y)
      case (5)
         c(:, 1) = sum(a, 2)
      case (6)
         c = 0.5d0*reshape(x, [n, n])
         b = 0.5d0*transpose(transpose(a))
      end select
   end subroutine
end program
