! Five points of a plane of N x N, then other factors above a half and below: by where (0), by where of the inner
! part (1), in loops (2); five points of a torus merged with what its border is (3). ARGUMENTS: way, N, steps.
module m
   real(8), allocatable :: u(:, :)
contains
   subroutine kernel(way, n, steps)
      integer :: way, n, steps, t, i, j
      if (way == 3) then
         call merged(n, steps)
         return
      end if
      do t = 1, steps
         u(2:n - 1, 2:n - 1) = 0.2d0*(u(2:n - 1, 2:n - 1) + u(1:n - 2, 2:n - 1) + u(3:n, 2:n - 1) &
                                      + u(2:n - 1, 1:n - 2) + u(2:n - 1, 3:n))
         select case (way)
         case (0)
            where (u > 0.5d0)
               u = u*0.9d0
            elsewhere
               u = u*1.1d0
            end where
         case (1)
            where (u(2:n - 1, 2:n - 1) > 0.5d0) u(2:n - 1, 2:n - 1) = u(2:n - 1, 2:n - 1)*0.9d0
         case (2)
            do j = 2, n - 1
               do i = 2, n - 1
                  if (u(i, j) > 0.5d0) u(i, j) = u(i, j)*0.9d0
               end do
            end do
         end select
      end do
   end subroutine
   subroutine merged(n, steps)
      integer :: n, steps, t
      logical :: is_inner(n, n)
      is_inner = .false.
      is_inner(2:n - 1, 2:n - 1) = .true.
      do t = 1, steps
         u = merge(0.2d0*(u + cshift(u, 1, 1) + cshift(u, -1, 1) + cshift(u, 1, 2) + cshift(u, -1, 2)), &
                   u, is_inner)
      end do
   end subroutine
end module
program p
   use m
   character(9) :: word
   integer :: way, n, steps, i, j
   call get_command_argument(1, word); read (word, *) way
   call get_command_argument(2, word); read (word, *) n
   call get_command_argument(3, word); read (word, *) steps
   allocate (u(n, n))
   do j = 1, n
      do i = 1, n
         u(i, j) = mod(i*7 + j*13, 17)/17d0
      end do
   end do
   call kernel(way, n, steps)
   print *, sum(u)
end program
