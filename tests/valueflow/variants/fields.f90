! Seven-point sweeps over components of derived types, put back by an assignment of sections.
module grid
   implicit none
   type field
      real(8), allocatable :: a(:, :, :)
   end type
contains
   subroutine kernel(u, v, n, steps)
      type(field), intent(inout) :: u, v
      integer, intent(in) :: n, steps
      integer :: i, j, k, s
      do s = 1, steps
         do k = 1, n
            do j = 1, n
               do i = 1, n
                  v%a(i, j, k) = (u%a(i, j, k) + u%a(i - 1, j, k) + u%a(i + 1, j, k) + u%a(i, j - 1, k) &
                     + u%a(i, j + 1, k) + u%a(i, j, k - 1) + u%a(i, j, k + 1))/7
               end do
            end do
         end do
         u%a(1:n, 1:n, 1:n) = v%a(1:n, 1:n, 1:n)
      end do
   end subroutine
end module

program main
   use grid
   implicit none
   integer, parameter :: n = 12
   type(field) :: u, v
   allocate (u%a(0:n + 1, 0:n + 1, 0:n + 1), v%a(0:n + 1, 0:n + 1, 0:n + 1))
   call random_number(u%a)
   v%a = 0
   call kernel(u, v, n, 3)
   print *, u%a(1, 1, 1)
end program
