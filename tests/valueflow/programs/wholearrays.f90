! Five-point sweeps in statements of whole arrays, which are allocated in a module.
module fields
   implicit none
   integer, parameter :: n = 64
   real(8), allocatable :: u(:, :), v(:, :)
contains
   subroutine kernel(steps)
      integer, intent(in) :: steps
      integer :: s
      do s = 1, steps
         v(2:n + 1, 2:n + 1) = u(2:n + 1, 2:n + 1) + 0.1d0*(u(1:n, 2:n + 1) + u(3:n + 2, 2:n + 1) &
            + u(2:n + 1, 1:n) + u(2:n + 1, 3:n + 2) - 4*u(2:n + 1, 2:n + 1))
         u(2:n + 1, 2:n + 1) = v(2:n + 1, 2:n + 1)
      end do
   end subroutine
end module

program wholearrays
   use fields
   implicit none
   allocate (u(n + 2, n + 2), v(n + 2, n + 2))
   call random_number(u)
   v = 0
   call kernel(3)
   print *, sum(u), dot_product(u(:, 1), v(:, 2)), maxval(abs(u))
end program
