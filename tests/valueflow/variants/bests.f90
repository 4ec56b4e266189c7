! Numbers go on with the largest of all and its place, in every step, looked for in two variables each. ARGUMENTS:
! anything, numbers, steps.
module m
contains
   subroutine in_two(n, a, best)
      integer :: n, i, p0, p1
      real(8) :: a(n), m0, m1, best
      p0 = 1
      p1 = 2
      m0 = a(1)
      m1 = a(2)
      do i = 3, n - 1, 2
         if (a(i) > m0) then
            m0 = a(i)
            p0 = i
         end if
         if (a(i + 1) > m1) then
            m1 = a(i + 1)
            p1 = i + 1
         end if
      end do
      if (m1 > m0) then
         m0 = m1
         p0 = p1
      end if
      best = m0 + 0.1d0*p0
   end subroutine
   subroutine kernel(n, steps, a)
      integer :: n, steps, t, i
      real(8) :: a(n), x, best
      do t = 1, steps
         call in_two(n, a, best)
         do i = 1, n
            x = 13.7d0*a(i) + 0.3d0/best
            a(i) = x - floor(x) + 1
         end do
      end do
   end subroutine
end module
program bests
   use m
   character(20) :: text
   integer :: n, steps, i
   real(8), allocatable :: a(:)
   call get_command_argument(2, text)
   read (text, *) n
   call get_command_argument(3, text)
   read (text, *) steps
   allocate (a(n))
   do i = 1, n
      a(i) = 1 + mod(i*7919, 1009)/1009d0
   end do
   call kernel(n, steps, a)
   print *, a(1) + a(n)
end program
