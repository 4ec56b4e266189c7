! The list of a namelist leads to variables of the program.
program main
   implicit none
   integer :: n = 30
   namelist /settings/ n
   open(12, status='scratch', form='formatted')
   write(12, nml=settings)
   rewind 12
   n = 0
   read(12, nml=settings)
   print *, n
end program
