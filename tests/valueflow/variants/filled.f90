! u(i) = (u(i) + u(i + 1)) / 2 on a ring; the neighbour comes from functions that fill up an array from another
! one. ARGUMENTS: way, points, steps.
program main
   implicit none
   integer :: which, n, steps, i
   real(8), allocatable :: u(:)
   character(16) :: argument
   call get_command_argument(1, argument)
   read (argument, *) which
   call get_command_argument(2, argument)
   read (argument, *) n
   call get_command_argument(3, argument)
   read (argument, *) steps
   allocate (u(n))
   do i = 1, n
      u(i) = sin(3d0*i)
   end do
   call kernel(u, n, steps, which)
   print *, sum(u), u(n), u(1)
contains
   subroutine kernel(u, n, steps, which)
      integer, intent(in) :: n, steps, which
      real(8), intent(inout) :: u(n)
      real(8) :: v(n)
      logical :: inside(n)
      integer :: s, i
      inside = [(i < n, i=1, n)]
      do s = 1, steps
         select case (which)
         case (0)
            v(1:n - 1) = u(2:n)
            v(n) = u(1)
         case (1)
            v = eoshift(u, 1, boundary=u(1))
         case (2)
            v = reshape(u(2:n), [n], pad=u(1:1))
         case (3)
            v = unpack(u(2:n), inside, u(1))
         case (4)
            v = pack(u(2:n), inside(1:n - 1), vector=[u(2:n), u(1)])
         case (5)
            v = [u(2:n), u(1)]
         case (6)
            v = [(u(i:i + 1), i=2, n - 1, 2), u(n:n), u(1:1)]
         case (7)
            v = cshift(u, 1)
         end select
         u = 0.5d0*u + 0.5d0*v
      end do
   end subroutine
end program
