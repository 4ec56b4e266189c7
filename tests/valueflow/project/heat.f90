subroutine kernel(u,v,n,t)
 integer :: n,t,i,j,s
 real(8) :: u(0:n+1,0:n+1), v(0:n+1,0:n+1)
 do s=1,t
  do j=1,n
   do i=1,n
    v(i,j)=0.25d0*(u(i-1,j)+u(i+1,j)+u(i,j-1)+u(i,j+1))
   end do
  end do
  do j=1,n
   do i=1,n
    u(i,j)=v(i,j)
   end do
  end do
 end do
end subroutine
program main
 real(8), allocatable :: u(:,:), v(:,:)
 allocate(u(0:65,0:65), v(0:65,0:65)); u=1; v=0
 call kernel(u,v,64,10)
 print *, u(3,3)
end program
