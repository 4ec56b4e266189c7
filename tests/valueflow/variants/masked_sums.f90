! Sums (0), largest ones (1) and sums along a dimension (2) of the numbers of each of 48 keys, by masks.
! ARGUMENTS: way, how many numbers.
module m
   integer, parameter :: keys = 48
contains
   subroutine kernel(way, n, x, k, s)
      integer :: way, n, k(n), i
      real(8) :: x(n), s(keys), one(1)
      do i = 1, keys
         select case (way)
         case (0)
            s(i) = sum(x, mask=k == i)
         case (1)
            s(i) = maxval(x, mask=k == i)
         case (2)
            one = sum(reshape(x, [n, 1]), 1, reshape(k == i, [n, 1]))
            s(i) = one(1)
         end select
      end do
   end subroutine
end module
program masked_sums
   use m
   character(20) :: text
   integer :: way, n, i
   real(8), allocatable :: x(:)
   real(8) :: s(keys)
   integer, allocatable :: k(:)
   call get_command_argument(1, text)
   read (text, *) way
   call get_command_argument(2, text)
   read (text, *) n
   allocate (x(n), k(n))
   call random_number(x)
   do i = 1, n
      k(i) = 1 + mod(i*7919, keys)
   end do
   call kernel(way, n, x, k, s)
   print *, s(1), s(keys)
end program
