! The kernel faces with allocatable arrays of a derived type.
module solver
    implicit none
    type cell
        real(8) :: u(3), residual(3), volume
    end type
contains
    subroutine kernel(cells, faces, n_faces, steps)
        type(cell), intent(inout) :: cells(:)
        integer, intent(in) :: faces(:, :), n_faces, steps
        integer :: i, k, t, l, r
        real(8) :: speed, flux
        do t = 1, steps
            do i = 1, size(cells)
                do k = 1, 3
                    cells(i)%residual(k) = 0
                end do
            end do
            do i = 1, n_faces
                l = faces(1, i)
                r = faces(2, i)
                speed = cells(l)%u(1) + cells(r)%u(1) + 0.1d0*(cells(l)%u(2) + cells(r)%u(2))
                do k = 1, 3
                    flux = 0.5d0*speed*(cells(l)%u(k) + cells(r)%u(k)) - 0.5d0*(cells(r)%u(k) - cells(l)%u(k))
                    cells(l)%residual(k) = cells(l)%residual(k) - flux
                    cells(r)%residual(k) = cells(r)%residual(k) + flux
                end do
            end do
            do i = 1, size(cells)
                do k = 1, 3
                    cells(i)%u(k) = cells(i)%u(k) + 1d-3*cells(i)%residual(k)/cells(i)%volume
                end do
            end do
        end do
    end subroutine
end module

program faces_of_cells
    use solver
    implicit none
    type(cell), allocatable :: cells(:)
    integer, allocatable :: faces(:, :)
    character(16) :: text
    integer :: i, j, k, n, n_faces, steps
    call get_command_argument(1, text)
    read (text, *) n
    call get_command_argument(2, text)
    read (text, *) steps
    allocate (cells(n*n), faces(2, 2*n*n))
    do i = 1, n*n
        cells(i)%volume = 1 + mod(i, 3)
        do k = 1, 3
            cells(i)%u(k) = sin(real(i*k, 8))
        end do
    end do
    n_faces = 0
    do i = 0, n - 1
        do j = 0, n - 1
            if (j < n - 1) then
                n_faces = n_faces + 1
                faces(:, n_faces) = [i*n + j + 1, i*n + j + 2]
            end if
            if (i < n - 1) then
                n_faces = n_faces + 1
                faces(:, n_faces) = [i*n + j + 1, i*n + n + j + 1]
            end if
        end do
    end do
    call kernel(cells, faces, n_faces, steps)
    print *, cells(n + 2)%u(1)
end program
