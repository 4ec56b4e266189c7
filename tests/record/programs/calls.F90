! The calls of calls.c in Fortran: BINDING 1 is mpif.h, 2 is "use mpi", 3 is "use mpi_f08".
#if BINDING == 3
#define T_COMM type(MPI_Comm)
#define T_REQUEST type(MPI_Request)
#define T_STATUS type(MPI_Status)
#define T_TYPE type(MPI_Datatype)
#define T_WIN type(MPI_Win)
#define T_FILE type(MPI_File)
#define T_MESSAGE type(MPI_Message)
#define N_STATUS
#define SOURCE_OF(s) s%MPI_SOURCE
#define E
#else
#define T_COMM integer
#define T_REQUEST integer
#define T_STATUS integer
#define T_TYPE integer
#define T_WIN integer
#define T_FILE integer
#define T_MESSAGE integer
#define N_STATUS (MPI_STATUS_SIZE)
#define SOURCE_OF(s) s(MPI_SOURCE)
#define E , ierror
#endif
program calls
#if BINDING == 2
  use mpi
#elif BINDING == 3
  use mpi_f08
#endif
  implicit none
#if BINDING == 1
  include 'mpif.h'
#endif
  integer :: rank, peer, ierror
  integer :: a(64), b(64)
  T_COMM :: world
  a = 0
  ierror = 0
#if BINDING == 3
  call MPI_Init()
#else
  call MPI_Init(ierror)
#endif
  world = MPI_COMM_WORLD
  call MPI_Comm_rank(world, rank E)
  peer = 1 - rank
  call blocking()
  call non_blocking()
  call probes()
  call persistent()
  call MPI_Pcontrol(2)
  call collectives()
  call non_blocking_collectives()
  call neighbours()
  call communicators()
  call derived_type()
  call one_sided()
  call files()
#if BINDING == 3
  call MPI_Finalize()
#else
  call MPI_Finalize(ierror)
#endif

contains

  subroutine blocking()
    double precision :: in(5), out(5)
    integer :: i
    in = 0
    do i = 1, 3
      if (rank == 0) call MPI_Send(a, 10, MPI_INTEGER, peer, 1, world E)
      call MPI_Recv(b, 10, MPI_INTEGER, peer, 1, world, MPI_STATUS_IGNORE E)
      if (rank == 1) call MPI_Send(a, 10, MPI_INTEGER, peer, 1, world E)
    end do
    do i = 1, 2
      call MPI_Sendrecv(in, 5, MPI_DOUBLE_PRECISION, peer, 2, out, 5, MPI_DOUBLE_PRECISION, peer, 2, world, &
                        MPI_STATUS_IGNORE E)
    end do
    call MPI_Send(a, 4, MPI_INTEGER, MPI_PROC_NULL, 0, world E)
    call MPI_Recv(a, 4, MPI_INTEGER, MPI_PROC_NULL, 0, world, MPI_STATUS_IGNORE E)
  end subroutine

  subroutine non_blocking()
    T_REQUEST :: r(2)
    integer :: i, index, n, indices(2)
    logical :: flag
    do i = 1, 4
      call MPI_Irecv(b, 7, MPI_INTEGER, peer, 3, world, r(1) E)
      call MPI_Isend(a, 7, MPI_INTEGER, peer, 3, world, r(2) E)
      call MPI_Waitall(2, r, MPI_STATUSES_IGNORE E)
    end do
    do i = 1, 2
      call MPI_Irecv(b, 64, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, world, r(1) E)
      call MPI_Isend(a, 1, MPI_INTEGER, peer, 4, world, r(2) E)
      call MPI_Wait(r(1), MPI_STATUS_IGNORE E)
      call MPI_Wait(r(2), MPI_STATUS_IGNORE E)
    end do
    call MPI_Irecv(b, 64, MPI_INTEGER, peer, 5, world, r(1) E)
    call MPI_Send(a, 2, MPI_INTEGER, peer, 5, world E)
    call MPI_Waitany(1, r, index, MPI_STATUS_IGNORE E)
    call MPI_Irecv(b, 64, MPI_INTEGER, peer, 5, world, r(1) E)
    call MPI_Send(a, 2, MPI_INTEGER, peer, 5, world E)
    call MPI_Waitsome(1, r, n, indices, MPI_STATUSES_IGNORE E)
    call MPI_Test(r(1), flag, MPI_STATUS_IGNORE E)
    call MPI_Testall(1, r, flag, MPI_STATUSES_IGNORE E)
    call MPI_Testany(1, r, index, flag, MPI_STATUS_IGNORE E)
    call MPI_Testsome(1, r, n, indices, MPI_STATUSES_IGNORE E)
  end subroutine

  subroutine probes()
    T_MESSAGE :: message
    T_STATUS :: status N_STATUS
    T_REQUEST :: r
    logical :: flag
    call MPI_Iprobe(peer, 99, world, flag, MPI_STATUS_IGNORE E)
    call MPI_Send(a, 3, MPI_INTEGER, peer, 6, world E)
    call MPI_Probe(MPI_ANY_SOURCE, 6, world, status E)
    call MPI_Recv(b, 64, MPI_INTEGER, SOURCE_OF(status), 6, world, status E)
    call MPI_Send(a, 4, MPI_INTEGER, peer, 7, world E)
    call MPI_Mprobe(peer, 7, world, message, status E)
    call MPI_Mrecv(b, 64, MPI_INTEGER, message, status E)
    call MPI_Send(a, 4, MPI_INTEGER, peer, 8, world E)
    call MPI_Mprobe(peer, 8, world, message, MPI_STATUS_IGNORE E)
    call MPI_Imrecv(b, 64, MPI_INTEGER, message, r E)
    call MPI_Wait(r, status E)
  end subroutine

  subroutine persistent()
    T_REQUEST :: r(2)
    integer :: i
    call MPI_Send_init(a, 6, MPI_INTEGER, peer, 9, world, r(1) E)
    call MPI_Recv_init(b, 64, MPI_INTEGER, peer, 9, world, r(2) E)
    do i = 1, 5
      call MPI_Startall(2, r E)
      call MPI_Waitall(2, r, MPI_STATUSES_IGNORE E)
    end do
    do i = 1, 2
      call MPI_Start(r(2) E)
      call MPI_Start(r(1) E)
      call MPI_Wait(r(1), MPI_STATUS_IGNORE E)
      call MPI_Wait(r(2), MPI_STATUS_IGNORE E)
    end do
    call MPI_Request_free(r(1) E)
    call MPI_Request_free(r(2) E)
  end subroutine

  subroutine collectives()
    integer :: counts(2), starts(2), byte_starts(2), ones(2), i
    T_TYPE :: types(2)
    double precision :: d(2)
    counts = 2
    starts = [0, 2]
    byte_starts = [0, 8]
    ones = 1
    types = MPI_INTEGER
    d = 0
    call MPI_Barrier(world E)
    call MPI_Barrier(world E)
    call MPI_Bcast(a, 10, MPI_INTEGER, 0, world E)
    call MPI_Reduce(a, b, 1, MPI_INTEGER, MPI_SUM, 0, world E)
    do i = 1, 3
      call MPI_Allreduce(MPI_IN_PLACE, d, 2, MPI_DOUBLE_PRECISION, MPI_SUM, world E)
    end do
    call MPI_Gather(a, 4, MPI_INTEGER, b, 4, MPI_INTEGER, 1, world E)
    call MPI_Gatherv(a, 2, MPI_INTEGER, b, counts, starts, MPI_INTEGER, 1, world E)
    call MPI_Scatter(a, 4, MPI_INTEGER, b, 4, MPI_INTEGER, 0, world E)
    call MPI_Scatterv(a, counts, starts, MPI_INTEGER, b, 2, MPI_INTEGER, 0, world E)
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 2, MPI_INTEGER, world E)
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, counts, starts, MPI_INTEGER, world E)
    call MPI_Alltoall(a, 3, MPI_INTEGER, b, 3, MPI_INTEGER, world E)
    call MPI_Alltoallv(a, counts, starts, MPI_INTEGER, b, counts, starts, MPI_INTEGER, world E)
    call MPI_Alltoallw(a, counts, byte_starts, types, b, counts, byte_starts, types, world E)
    call MPI_Reduce_scatter(a, b, ones, MPI_INTEGER, MPI_SUM, world E)
    call MPI_Reduce_scatter_block(a, b, 1, MPI_INTEGER, MPI_SUM, world E)
    call MPI_Scan(a, b, 1, MPI_INTEGER, MPI_SUM, world E)
    call MPI_Exscan(a, b, 1, MPI_INTEGER, MPI_SUM, world E)
  end subroutine

  subroutine non_blocking_collectives()
    T_REQUEST :: r
    call MPI_Ibarrier(world, r E)
    call MPI_Wait(r, MPI_STATUS_IGNORE E)
    call MPI_Ibcast(a, 10, MPI_INTEGER, 0, world, r E)
    call MPI_Wait(r, MPI_STATUS_IGNORE E)
    call MPI_Iallreduce(a, b, 2, MPI_INTEGER, MPI_SUM, world, r E)
    call MPI_Wait(r, MPI_STATUS_IGNORE E)
    call MPI_Iallgather(a, 2, MPI_INTEGER, b, 2, MPI_INTEGER, world, r E)
    call MPI_Wait(r, MPI_STATUS_IGNORE E)
    call MPI_Ialltoall(a, 2, MPI_INTEGER, b, 2, MPI_INTEGER, world, r E)
    call MPI_Wait(r, MPI_STATUS_IGNORE E)
  end subroutine

  subroutine neighbours()
    T_COMM :: ring
    T_REQUEST :: r
    integer :: size(1), counts(2), starts(2)
    logical :: periodic(1)
    size = 2
    counts = 1
    starts = [0, 1]
    periodic = .true.
    call MPI_Cart_create(world, 1, size, periodic, .false., ring E)
    call MPI_Neighbor_allgather(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, ring E)
    call MPI_Neighbor_alltoall(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, ring E)
    call MPI_Neighbor_alltoallv(a, counts, starts, MPI_INTEGER, b, counts, starts, MPI_INTEGER, ring E)
    call MPI_Ineighbor_alltoall(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, ring, r E)
    call MPI_Wait(r, MPI_STATUS_IGNORE E)
    call MPI_Comm_free(ring E)
  end subroutine

  subroutine communicators()
    T_COMM :: copy, turned, node
    integer :: i, other, key
    call MPI_Comm_dup(world, copy E)
    call MPI_Send(a, 1, MPI_INTEGER, peer, 10, copy E)
    call MPI_Recv(b, 1, MPI_INTEGER, peer, 10, copy, MPI_STATUS_IGNORE E)
    call MPI_Comm_free(copy E)
    do i = 0, 3
      key = merge(rank, -rank, mod(i, 2) == 1)
      call MPI_Comm_split(world, 0, key, turned E)
      other = merge(peer, rank, mod(i, 2) == 1)
      call MPI_Sendrecv(a, 1, MPI_INTEGER, other, 11, b, 1, MPI_INTEGER, other, 11, turned, MPI_STATUS_IGNORE E)
      call MPI_Comm_free(turned E)
    end do
    call MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, node E)
    call MPI_Barrier(node E)
    call MPI_Comm_free(node E)
  end subroutine

  subroutine derived_type()
    T_TYPE :: three
    call MPI_Type_contiguous(3, MPI_INTEGER, three E)
    call MPI_Type_commit(three E)
    if (rank == 0) call MPI_Ssend(a, 2, three, peer, 12, world E)
    call MPI_Recv(b, 2, three, peer, 12, world, MPI_STATUS_IGNORE E)
    if (rank == 1) call MPI_Ssend(a, 2, three, peer, 12, world E)
    call MPI_Type_free(three E)
  end subroutine

  subroutine one_sided()
    integer, save :: memory(16)
    integer(kind=MPI_ADDRESS_KIND) :: bytes, at
    T_WIN :: window
    bytes = 64
    at = 0
    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, world, window E)
    call MPI_Win_fence(0, window E)
    call MPI_Put(a, 5, MPI_INTEGER, peer, at, 5, MPI_INTEGER, window E)
    call MPI_Win_fence(0, window E)
    call MPI_Get(b, 5, MPI_INTEGER, peer, at, 5, MPI_INTEGER, window E)
    call MPI_Win_fence(0, window E)
    call MPI_Accumulate(a, 2, MPI_INTEGER, peer, at, 2, MPI_INTEGER, MPI_SUM, window E)
    call MPI_Win_fence(0, window E)
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, window E)
    call MPI_Fetch_and_op(a, b, MPI_INTEGER, peer, at, MPI_SUM, window E)
    call MPI_Win_unlock(peer, window E)
    call MPI_Win_free(window E)
  end subroutine

  subroutine files()
    T_FILE :: file
    integer(kind=MPI_OFFSET_KIND) :: at
    character(len=7) :: name
    name = merge('calls.0', 'calls.1', rank == 0)
    call MPI_File_open(MPI_COMM_SELF, name, ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file E)
    at = 0
    call MPI_File_write_at(file, at, a, 10, MPI_INTEGER, MPI_STATUS_IGNORE E)
    at = 20
    call MPI_File_read_at(file, at, b, 10, MPI_INTEGER, MPI_STATUS_IGNORE E)
    call MPI_File_close(file E)
  end subroutine
end program
