! A line of numbers, each computed from the one before it, rounded to whole numbers. WAY: nint (0), anint (1),
! of eight bytes (2). ARGUMENTS: way, steps.
module m
contains
   subroutine kernel(way, u, v, n, steps)
      integer :: way, n, steps, t, i
      real(8) :: u(n), v(n)
      do t = 1, steps
         do i = 2, n
            if (way == 0) v(i) = 0.5d0*nint(3*u(i - 1))
            if (way == 1) v(i) = 0.5d0*anint(3*u(i - 1))
            if (way == 2) v(i) = 0.5d0*nint(3*u(i - 1), 8)
         end do
         do i = 2, n
            u(i) = v(i) + 0.25d0
         end do
      end do
   end subroutine
end module
program p
   use m
   real(8) :: u(16), v(16)
   character(9) :: word
   integer :: way, steps, i
   call get_command_argument(1, word); read (word, *) way
   call get_command_argument(2, word); read (word, *) steps
   do i = 1, 16
      u(i) = 1 + 0.3d0*i; v(i) = 0
   end do
   call kernel(way, u, v, 16, steps)
   print *, sum(u)
end program
