# npm ci into the build tree; run by the build with -DNPM= -DSOURCE= -DBUILD=
file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json ${SOURCE}/.npmrc DESTINATION ${BUILD})
execute_process(COMMAND ${NPM} ci --prefer-offline --ignore-scripts --no-audit --no-fund WORKING_DIRECTORY ${BUILD}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "npm could not fetch the chart libraries of the report:\n${output}\n"
        "The first build needs the npm registry (or a filled npm cache). To build parcast without the command 'report', configure with "
        "-DPARCAST_REPORT=OFF.")
endif()
file(TOUCH ${BUILD}/node_modules.stamp)
