! A line that is swept in the region, and printed there.
program main
   implicit none
   real(8) :: u(50)
   integer :: i
   u = 1
   do i = 2, 49
      u(i) = 0.5*(u(i - 1) + u(i + 1))
   end do
   do i = 2, 50
      u(i) = u(i) + u(i - 1)
   end do
   print *, u(20)
   print '(10f8.3)', u(31:40)
end program
