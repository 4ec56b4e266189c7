! How many of a line's numbers are in each of three bins, in an allocatable array of a module. ARGUMENTS: ignored,
! length.
module m
   integer, allocatable :: bins(:)
contains
   subroutine kernel(x, which, n)
      integer :: n, i, which(n)
      real(8) :: x(n)
      do i = 1, n
         x(i) = 1.5d0*x(i)
         bins(which(i)) = bins(which(i)) + int(x(i))
      end do
   end subroutine
end module
program p
   use m
   real(8), allocatable :: x(:)
   integer, allocatable :: which(:)
   character(9) :: word
   integer :: n, i
   call get_command_argument(2, word); read (word, *) n
   allocate (x(n), which(n), bins(3))
   bins = 0
   do i = 1, n
      x(i) = i; which(i) = mod(i, 3) + 1
   end do
   call kernel(x, which, n)
   print *, bins, sum(x)
end program
