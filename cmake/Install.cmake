# What `cmake --install` installs, and how other projects find it: find_package(parcast), pkg-config.
include(CMakePackageConfigHelpers)

install(TARGETS parcast EXPORT parcastTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS parcast_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# The program finds its library beside it, wherever both are moved to.
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(parcast_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")

install(DIRECTORY include/parcast DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES ${CMAKE_BINARY_DIR}/include/parcast/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/parcast)
install(FILES README.md CHANGELOG.md LICENSE THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES report/LICENSES.md DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSES-report.md)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples PATTERN CMakeLists.txt EXCLUDE)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/parcast)
install(EXPORT parcastTargets NAMESPACE parcast:: DESTINATION ${package_dir})
configure_package_config_file(cmake/parcastConfig.cmake.in ${CMAKE_BINARY_DIR}/parcastConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/parcastConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/parcastConfig.cmake ${CMAKE_BINARY_DIR}/parcastConfigVersion.cmake DESTINATION ${package_dir})

configure_file(cmake/parcast.pc.in ${CMAKE_BINARY_DIR}/parcast.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/parcast.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
