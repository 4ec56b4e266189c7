! Reductions of whole numbers, truth values and places, and the largest of each key: 0 iparity, 1 iall, 2 iany,
! 3 parity, 4 reduce by a function, 5 the largest of each key where the key has been seen or not, 6 whether it has,
! 7 the place of the least of those above a limit. WAY.
module data
    implicit none
    integer, parameter :: n = 2400, bins = 16
    integer :: key(n)
    real(8) :: x(n), best(bins), found
    logical :: seen(bins), which(n), odd
    integer :: bits
contains
    pure real(8) function larger(a, b)
        real(8), intent(in) :: a, b
        larger = max(a, b)
    end function

    subroutine find_best()
        integer :: i, k
        do i = 1, n
            k = key(i)
            if (.not. seen(k) .or. x(i) > best(k)) then
                best(k) = x(i)
                seen(k) = .true.
            end if
        end do
    end subroutine

    subroutine note_seen()
        integer :: i
        do i = 1, n
            if (.not. seen(key(i))) seen(key(i)) = .true.
        end do
    end subroutine

    subroutine kernel(way)
        integer, intent(in) :: way
        if (way == 0) bits = iparity(key)
        if (way == 1) bits = iall(key)
        if (way == 2) bits = iany(key)
        if (way == 3) odd = parity(which)
        if (way == 4) found = reduce(x, larger)
        if (way == 5) call find_best()
        if (way == 6) call note_seen()
        if (way == 7) bits = minloc(x, 1, mask=x > 0.5d0)
    end subroutine
end module

program keyed
    use data
    implicit none
    character(len=16) :: text
    integer :: i, way
    call get_command_argument(1, text)
    read (text, *) way
    do i = 1, n
        key(i) = 1 + mod(i * 7919 / 16, bins)
        x(i) = mod(i * 7919, 1013) / 1013d0
        which(i) = mod(i, 3) == 0
    end do
    best = -1
    seen = .false.
    call kernel(way)
    print *, bits, odd, found, sum(best), count(seen)
end program
