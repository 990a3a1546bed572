# A room is a folder that builds into one static library named after it. Every .cpp directly in the
# folder belongs to it, so adding a file needs no edit here.
#
#   ridgeline_room(core USES OpenSSL::Crypto)          library `core` from ./*.cpp
#   ridgeline_program(ridgeline USES cli)               program from ./main.cpp
#   ridgeline_tests(engine/core USES core)              tests/engine/core/*_test.cpp -> engine_core_tests

function(ridgeline_room name)
  cmake_parse_arguments(ROOM "" "" "USES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp)
  if(sources)
    add_library(${name} STATIC ${sources})
    target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${ROOM_USES} PRIVATE ridgeline_warnings)
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${CMAKE_SOURCE_DIR})
    target_link_libraries(${name} INTERFACE ${ROOM_USES})
  endif()
  ridgeline_headers_alone(${name} ${headers})
endfunction()

function(ridgeline_program name)
  cmake_parse_arguments(PROGRAM "" "" "USES" ${ARGN})
  add_executable(${name} ${CMAKE_CURRENT_SOURCE_DIR}/main.cpp)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${PROGRAM_USES} ridgeline_warnings)
endfunction()

# Every header compiles alone: `ninja headers_alone` builds a one-line source for each.
add_custom_target(headers_alone)
function(ridgeline_headers_alone room)
  set(sources "")
  foreach(header ${ARGN})
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${header})
    string(REPLACE "/" "_" flat ${path})
    set(source ${CMAKE_BINARY_DIR}/headers_alone/${flat}.cpp)
    file(GENERATE OUTPUT ${source} CONTENT "#include \"${path}\"\n#include \"${path}\"\n")
    list(APPEND sources ${source})
  endforeach()
  if(sources)
    add_library(${room}_headers_alone OBJECT EXCLUDE_FROM_ALL ${sources})
    target_link_libraries(${room}_headers_alone PRIVATE ${room} ridgeline_warnings)
    add_dependencies(headers_alone ${room}_headers_alone)
  endif()
endfunction()

function(ridgeline_tests folder)
  cmake_parse_arguments(TESTS "" "" "USES;NEEDS" ${ARGN})
  string(REPLACE "/" "_" name ${folder}_tests)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${TESTS_USES} GTest::gtest GTest::gmock GTest::gtest_main ridgeline_warnings)
  target_compile_definitions(${name} PRIVATE RIDGELINE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                             RIDGELINE_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  if(TESTS_NEEDS)  # programs that the tests start
    add_dependencies(${name} ${TESTS_NEEDS})
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 300 LABELS ${folder})
endfunction()
