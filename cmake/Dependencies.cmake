# Libraries that parcast stands on. All of them are Debian packages; THIRD_PARTY.md lists their licences.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
pkg_check_modules(POPT REQUIRED IMPORTED_TARGET popt)
pkg_check_modules(SMARTCOLS REQUIRED IMPORTED_TARGET smartcols)
pkg_check_modules(CMINPACK REQUIRED IMPORTED_TARGET cminpack)
pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET lapacke)
set(PARCAST_DEPENDENCIES PkgConfig::JANSSON PkgConfig::YAML PkgConfig::SQLITE PkgConfig::HWLOC PkgConfig::CMINPACK
    PkgConfig::LAPACKE Threads::Threads ${CMAKE_DL_LIBS})
