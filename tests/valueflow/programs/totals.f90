! totals WAY: two numbers for all words in ways 1 to 5, one for each row in ways 6 to 10.
module totals
   implicit none
   integer, parameter :: n = 64
   type statistics
      real(8) :: total = 0, squares = 0
      integer :: count = 0
   end type
   real(8) :: first, second
   type(statistics) :: all
contains
   subroutine add(to, x)
      type(statistics), intent(inout) :: to
      real(8), intent(in) :: x
      to%total = to%total + x
      to%squares = to%squares + x*x
      to%count = to%count + 1
   end subroutine

   subroutine kernel(a, out, way)
      real(8), intent(in) :: a(n, n)
      real(8), intent(inout) :: out(n)
      integer, intent(in) :: way
      integer :: i, j, places(n)
      type(statistics) :: own
      select case (way)
      case (1)
         out(1:2) = 0
         do j = 1, n
            do i = 1, n
               out(1) = out(1) + a(i, j)
               out(2) = out(2) + a(i, j)**2
            end do
         end do
      case (2)
         do j = 1, n
            do i = 1, n
               call add(own, a(i, j))
            end do
         end do
         out(1:2) = [own%total, own%squares]
      case (3)
         do j = 1, n
            do i = 1, n
               call add(all, a(i, j))
            end do
         end do
      case (4)
         do j = 1, n
            do i = 1, n
               if (a(i, j) > 0.5) first = first + 1
               if (a(i, j) > second) second = a(i, j)
            end do
         end do
         out(1) = second
      case (5)
         out(1) = sum(a)
         out(2) = maxval(a)
      case (6)
         out = sum(a, dim=2)
      case (7)
         places = minloc(a, dim=2)
         out = places
      case (8)
         out = count(a > 0.5, dim=2)
      case (9)
         out = merge(1, 2, any(a > 0.99, dim=2))
      case (10)
         places = findloc(a > 0.9, .true., dim=2)
         out = places
      end select
   end subroutine
end module

program main
   use totals
   implicit none
   real(8), allocatable :: a(:, :)
   real(8) :: out(n) = 0
   character(8) :: argument
   integer :: way
   allocate (a(n, n))
   call random_number(a)
   call get_command_argument(1, argument)
   read (argument, *) way
   call kernel(a, out, way)
   print *, sum(out), first, second, all%total
end program
