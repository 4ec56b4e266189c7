! a = a + x y^T, then new x and y, in every step. ARGUMENTS: way, points, steps.
subroutine kernel(a, x, y, n, steps, which)
   implicit none
   integer, intent(in) :: n, steps, which
   real(8), intent(inout) :: a(n, n), x(n), y(n)
   real(8), allocatable :: hx(:, :), hy(:, :)
   integer :: i, j, s
   if (which == 2) allocate (hx(n, n), hy(n, n))
   do s = 1, steps
      if (which == 1) allocate (hx(n, n), hy(n, n))
      select case (which)
      case (0)
         do j = 1, n
            a(:, j) = a(:, j) + x*y(j)
         end do
      case (1:2) ! descriptors of what is allocated are no work
         do j = 1, n
            hx(:, j) = x
         end do
         do i = 1, n
            hy(i, :) = y
         end do
         a = a + hx*hy
      case (3)
         a = a + spread(x, 2, n)*spread(y, 1, n)
      case (4)
         forall (i=1:n) a(i, :) = a(i, :) + x(i)*y
      end select
      if (which == 1) deallocate (hx, hy)
      x = 0.9d0*x + 0.1d0
      y = 0.8d0*y + 0.1d0
   end do
end subroutine
program main
   implicit none
   integer :: n, steps, which, i
   character(16) :: argument
   real(8), allocatable :: a(:, :), x(:), y(:)
   call get_command_argument(1, argument)
   read (argument, *) which
   call get_command_argument(2, argument)
   read (argument, *) n
   call get_command_argument(3, argument)
   read (argument, *) steps
   allocate (a(n, n), x(n), y(n))
   do i = 1, n
      x(i) = cos(1d0*i)
      y(i) = sin(2d0*i)
      a(:, i) = i
   end do
   call kernel(a, x, y, n, steps, which)
   print *, sum(a), sum(x), sum(y)
end program
