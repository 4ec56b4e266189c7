! told WAY N TIMES: a mean is taken off a line again and again; how long that is the region reads in its arguments, as
! whole (0) or real numbers (1).
subroutine kernel(u, way)
   implicit none
   integer, intent(in) :: way
   real(8), intent(inout) :: u(*)
   character(16) :: text
   integer :: n, t, times
   real(8) :: length
   call get_command_argument(2, text)
   if (way == 0) then
      read (text, *) n
   else
      read (text, *) length
      n = int(length)
   end if
   call get_command_argument(3, text)
   read (text, '(i4)') times
   do t = 1, times
      if (way == 0) u(1:n) = u(1:n) - 0.5d0*sum(u(1:n))/n
      if (way == 1) u(1:n) = u(1:n) - 0.5d0*sum(u(1:n))/length
   end do
end subroutine

program told
   implicit none
   integer :: way
   character(16) :: text
   real(8), allocatable :: u(:)
   call get_command_argument(1, text)
   read (text, *) way
   allocate (u(4096))
   call random_number(u)
   call kernel(u, way)
   print *, sum(u)
end program
