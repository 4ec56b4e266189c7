! The five-point sweep in Fortran. Argument: which.
module sweeps
   implicit none
   integer, parameter :: n = 24
   type cell
      real(8) :: a, b
   end type
   type column
      real(8), pointer :: x(:)
   end type
   type field
      real(8), allocatable :: a(:, :)
   end type
contains
   function mean(u) result(v)
      real(8), intent(in) :: u(0:n + 1, 0:n + 1)
      real(8) :: v(n, n)
      v = 0.2d0*(u(1:n, 1:n) + u(0:n - 1, 1:n) + u(2:n + 1, 1:n) + u(1:n, 0:n - 1) + u(1:n, 2:n + 1))
   end function

   subroutine automatic_array(u)
      real(8), intent(inout) :: u(0:n + 1, 0:n + 1)
      real(8) :: w(0:n + 1, 0:n + 1)
      integer :: i, j
      w = u
      do j = 1, n
         do i = 1, n
            u(i, j) = 0.2d0*(w(i, j) + w(i - 1, j) + w(i + 1, j) + w(i, j - 1) + w(i, j + 1))
         end do
      end do
   end subroutine

   subroutine pointers(u, v, steps)
      real(8), allocatable, target, intent(inout) :: u(:, :), v(:, :)
      integer, intent(in) :: steps
      real(8), pointer :: a(:, :), b(:, :), c(:, :)
      integer :: i, j, s
      a => u
      b => v
      do s = 1, steps
         do j = 1, n
            do i = 1, n
               b(i, j) = 0.2d0*(a(i, j) + a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
            end do
         end do
         c => a
         a => b
         b => c
      end do
   end subroutine

   subroutine columns(u, v, steps)
      real(8), allocatable, target, intent(inout) :: u(:, :), v(:, :)
      integer, intent(in) :: steps
      type(column) :: c(0:n + 1)
      integer :: j, s
      do j = 0, n + 1
         c(j)%x(0:) => u(:, j)
      end do
      do s = 1, steps
         do j = 1, n
            v(1:n, j) = 0.2d0*(c(j)%x(1:n) + c(j)%x(0:n - 1) + c(j)%x(2:n + 1) + c(j - 1)%x(1:n) + c(j + 1)%x(1:n))
         end do
         do j = 1, n
            c(j)%x(1:n) = v(1:n, j)
         end do
      end do
   end subroutine

   subroutine components(c)
      type(cell), intent(inout) :: c(0:n + 1, 0:n + 1)
      c(1:n, 1:n)%b = 0.2d0*(c(1:n, 1:n)%a + c(0:n - 1, 1:n)%a + c(2:n + 1, 1:n)%a &
         + c(1:n, 0:n - 1)%a + c(1:n, 2:n + 1)%a)
      c(1:n, 1:n)%a = c(1:n, 1:n)%b
   end subroutine

   subroutine kernel(u, v, c, steps, which)
      real(8), allocatable, target, intent(inout) :: u(:, :), v(:, :)
      type(cell), intent(inout) :: c(0:n + 1, 0:n + 1)
      integer, intent(in) :: steps, which
      real(8), allocatable :: w(:, :)
      type(field) :: f
      integer :: s
      if (which == 2) call pointers(u, v, steps)
      if (which == 5) f%a = u
      if (which == 7) call columns(u, v, steps)
      do s = 1, steps
         select case (which)
         case (0)
            u(1:n, 1:n) = mean(u)
         case (1)
            call automatic_array(u)
         case (3)
            call components(c)
         case (4)
            allocate (w(0:n + 1, 0:n + 1))
            w = u
            w(1:n, 1:n) = mean(u)
            call move_alloc(w, u)
         case (5)
            v(1:n, 1:n) = mean(f%a)
            f%a(1:n, 1:n) = v(1:n, 1:n)
         case (6)
            where (v(1:n, 1:n) > -1) v(1:n, 1:n) = mean(u)
            u(1:n, 1:n) = v(1:n, 1:n)
         end select
      end do
   end subroutine
end module

program main
   use sweeps
   implicit none
   real(8), allocatable, target :: u(:, :), v(:, :)
   type(cell), allocatable :: c(:, :)
   character(len=8) :: argument
   integer :: which
   call get_command_argument(1, argument)
   read (argument, *) which
   allocate (u(0:n + 1, 0:n + 1), v(0:n + 1, 0:n + 1), c(0:n + 1, 0:n + 1))
   call random_number(u)
   v = u
   c%a = u
   c%b = u
   call kernel(u, v, c, 4, which)
   print *, u(2, 2), v(2, 2), c(2, 2)%a
end program
