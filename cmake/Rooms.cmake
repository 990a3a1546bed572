# A room is a folder that builds into one static library named after it. Every .cpp directly in the
# folder belongs to it, so adding a file needs no edit here.
#
#   ridgeline_room(core USES OpenSSL::Crypto)          library `core` from ./*.cpp
#   ridgeline_room(verifier TOGETHER 8 USES core)       its files compiled eight at a time: what they include is
#                                                       read once for all, which halves a build
#   ridgeline_room(store WITH convert USES core)        and the files of the folder convert/
#   ridgeline_program(ridgeline USES cli)               program from ./main.cpp
#   ridgeline_tests(engine/core USES core)              tests/engine/core/*_test.cpp -> engine_core_tests,
#                                                       and *_gpu_test.cpp -> engine_core_gpu_tests; DEEP: those
#                                                       of the rooms within that room too

# Compiles the sources of `target` `count` at a time, so that what they include is read once.
function(ridgeline_compile_together target count)
  if(RIDGELINE_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
    # Types of an unnamed namespace as members: dangerous in a header, which is all that the compiler can see here.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

function(ridgeline_room name)
  cmake_parse_arguments(ROOM "" "TOGETHER" "USES;WITH" ${ARGN})
  list(TRANSFORM ROOM_WITH REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1/*" OUTPUT_VARIABLE below)
  list(TRANSFORM below APPEND .cpp OUTPUT_VARIABLE sources_below)
  list(TRANSFORM below APPEND .hpp OUTPUT_VARIABLE headers_below)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${sources_below})
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp ${headers_below})
  if(sources)
    add_library(${name} STATIC ${sources})
    target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${ROOM_USES} PRIVATE ridgeline_warnings)
    ridgeline_of_the_program(${name})
    if(ROOM_TOGETHER)
      ridgeline_compile_together(${name} ${ROOM_TOGETHER})
    endif()
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${CMAKE_SOURCE_DIR})
    target_link_libraries(${name} INTERFACE ${ROOM_USES})
  endif()
  ridgeline_headers_alone(${name} ${headers})
endfunction()

function(ridgeline_program name)
  cmake_parse_arguments(PROGRAM "" "" "USES" ${ARGN})
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/main.cpp)
    return()
  endif()
  add_executable(${name} ${CMAKE_CURRENT_SOURCE_DIR}/main.cpp)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${PROGRAM_USES} ridgeline_warnings)
  ridgeline_of_the_program(${name})
endfunction()

# Texts compiled in, so that a binary needs no folder beside it. Sets `generated` to a source that defines, in NAMESPACE,
# the array `ARRAY`, "Type name", of {name, text} pairs that ends with two nulls, from the files below FOLDER whose names
# end with one of the SUFFIXES; where there is one suffix, names are without it. The file called APART is a string of that
# name instead. Modules of SHARED, a folder of texts that several packages carry, are added as if they lay in FOLDER.
# Written at configure time and only when a text changed; touching a text configures anew.
#
#   ridgeline_embed(generated FOLDER ridgeline_oracle SUFFIXES .py INCLUDE engine/oracle/texts.hpp
#                   NAMESPACE ridgeline::oracle::detail ARRAY "OracleModule oracle_modules" APART bootstrap)
function(ridgeline_embed generated)
  cmake_parse_arguments(EMBED "" "FOLDER;INCLUDE;NAMESPACE;ARRAY;APART;SHARED" "SUFFIXES" ${ARGN})
  get_filename_component(folder ${EMBED_FOLDER} ABSOLUTE)
  list(TRANSFORM EMBED_SUFFIXES PREPEND ${folder}/* OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE texts CONFIGURE_DEPENDS ${patterns})
  if(EMBED_SHARED)
    list(TRANSFORM EMBED_SUFFIXES PREPEND ${CMAKE_SOURCE_DIR}/${EMBED_SHARED}/* OUTPUT_VARIABLE shared_patterns)
    file(GLOB shared CONFIGURE_DEPENDS ${shared_patterns})
    list(APPEND texts ${shared})
  endif()
  set(pairs "")
  set(apart "")
  foreach(path IN LISTS texts)
    set(beside ${folder})
    if(EMBED_SHARED AND path IN_LIST shared)
      set(beside ${CMAKE_SOURCE_DIR}/${EMBED_SHARED})
    endif()
    file(RELATIVE_PATH file ${beside} ${path})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} text)
    set(name ${file})
    list(LENGTH EMBED_SUFFIXES suffixes)
    if(suffixes EQUAL 1)
      string(REGEX REPLACE "\\${EMBED_SUFFIXES}$" "" name "${file}")
    endif()
    if(EMBED_APART AND name STREQUAL EMBED_APART)
      set(apart "const char* const ${EMBED_APART} = R\"~~~~(${text})~~~~\";\n")
    else()
      string(APPEND pairs "{\"${name}\", R\"~~~~(${text})~~~~\"},\n")
    endif()
  endforeach()
  file(RELATIVE_PATH from ${CMAKE_SOURCE_DIR} ${folder})
  string(CONCAT source "// Generated from ${from} by ridgeline_embed.\n#include \"${EMBED_INCLUDE}\"\n\n"
         "namespace ${EMBED_NAMESPACE} {\n${apart}const ${EMBED_ARRAY}[] = {\n${pairs}{nullptr, nullptr}};\n}  // namespace\n")
  get_filename_component(stem ${folder} NAME)
  set(path ${CMAKE_CURRENT_BINARY_DIR}/built_in_${stem}.cpp)
  set(before "")
  if(EXISTS ${path})
    file(READ ${path} before)
  endif()
  if(NOT before STREQUAL source)
    file(WRITE ${path} "${source}")
  endif()
  set(${generated} ${path} PARENT_SCOPE)
endfunction()

# Every header compiles alone: `ninja headers_alone` builds a one-line source for each.
add_custom_target(headers_alone)
function(ridgeline_headers_alone room)
  set_property(GLOBAL APPEND PROPERTY RIDGELINE_HEADERS ${ARGN})
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

# `needs`: programs that the tests start.
function(ridgeline_test_program name sources uses needs)
  add_executable(${name} ${sources})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${uses} GTest::gtest GTest::gmock ridgeline_warnings)
  ridgeline_compile_together(${name} 7)
  if(RIDGELINE_TOGETHER)  # a local variable of one file may have the name of a helper of another
    set_target_properties(${name} PROPERTIES RIDGELINE_MAY_SHADOW ON)
  endif()
  target_compile_definitions(${name} PRIVATE RIDGELINE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                             RIDGELINE_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  foreach(program ${needs})
    if(TARGET ${program})
      add_dependencies(${name} ${program})
    endif()
  endforeach()
endfunction()

# What needs a GPU, with the room's files that are no tests: built everywhere, so that it cannot rot, and run where
# it is asked for (`./dev test --gpu`), one program at a time. One process a program, since a judge takes seconds to
# find its device.
function(ridgeline_gpu_tests folder sources uses needs)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_gpu_test\\.cpp$")
  if(NOT tests)
    return()
  endif()
  string(REPLACE "/" "_" name ${folder}_gpu_tests)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  ridgeline_test_program(${name} "${tests};${sources};${CMAKE_SOURCE_DIR}/tests/gpu_main.cpp" "${uses};cuda" "${needs}")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 7200 LABELS gpu RUN_SERIAL ON)
endfunction()

function(ridgeline_tests folder)
  cmake_parse_arguments(TESTS "ALONE;DEEP" "" "USES;NEEDS" ${ARGN})
  string(REPLACE "/" "_" name ${folder}_tests)
  set(patterns ${CMAKE_SOURCE_DIR}/tests/${folder}/*.cpp)
  if(TESTS_DEEP)
    list(APPEND patterns ${CMAKE_SOURCE_DIR}/tests/${folder}/*/*.cpp)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  if(NOT RIDGELINE_NVCC)  # a test that cannot run here is not there, rather than skipped
    list(FILTER sources EXCLUDE REGEX "(^|[/_])nvcc_test\\.cpp$")
  endif()
  set(cupti_tests ${sources})
  list(FILTER cupti_tests INCLUDE REGEX "_cupti_test\\.cpp$")
  if(NOT RIDGELINE_CUPTI_LIBRARY OR RIDGELINE_SANITIZE)  # it loads a library in a way that sanitizers refuse
    list(FILTER sources EXCLUDE REGEX "_cupti_test\\.cpp$")
  elseif(cupti_tests)
    set_source_files_properties(${cupti_tests} PROPERTIES COMPILE_DEFINITIONS RIDGELINE_CUPTI_LIBRARY="${RIDGELINE_CUPTI_LIBRARY}")
  endif()
  set(oracle_tests ${sources})
  list(FILTER oracle_tests INCLUDE REGEX "_oracle_test\\.cpp$")
  if(NOT RIDGELINE_PYTHON)
    list(FILTER sources EXCLUDE REGEX "_oracle_test\\.cpp$")
  elseif(oracle_tests)
    set_source_files_properties(${oracle_tests} PROPERTIES COMPILE_DEFINITIONS
                                "RIDGELINE_PYTHON=\"${RIDGELINE_PYTHON}\";$<$<BOOL:${RIDGELINE_NVCC}>:RIDGELINE_NVCC=\"${RIDGELINE_NVCC}\">")
  endif()
  ridgeline_gpu_tests(${folder} "${sources}" "${TESTS_USES}" "${TESTS_NEEDS}")
  list(FILTER sources EXCLUDE REGEX "_gpu_test\\.cpp$")
  if(NOT sources)
    return()
  endif()
  ridgeline_test_program(${name} "${sources}" "${TESTS_USES};GTest::gtest_main" "${TESTS_NEEDS}")
  # A process a test, but for suites named Oracle…: these share one Python, which takes seconds to start.
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_FILTER "-Oracle*"
                       PROPERTIES TIMEOUT 300 LABELS ${folder} RUN_SERIAL ${TESTS_ALONE})
  if(RIDGELINE_PYTHON AND oracle_tests)
    add_test(NAME ${name}.Oracle COMMAND ${name} --gtest_filter=Oracle*)
    # Minutes each: started first, lest one of them runs alone at the end.
    set_tests_properties(${name}.Oracle PROPERTIES TIMEOUT 1800 LABELS ${folder} COST 1000)
  endif()
endfunction()

# tests/bench/<name>_bench.cpp -> bench-<name>, run by `./dev bench <name>`.
add_custom_target(bench)
function(ridgeline_bench name)
  cmake_parse_arguments(BENCH "" "" "USES;NEEDS" ${ARGN})
  if(NOT EXISTS ${CMAKE_SOURCE_DIR}/tests/bench/${name}_bench.cpp)
    return()
  endif()
  add_executable(bench-${name} EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/bench/${name}_bench.cpp)
  target_include_directories(bench-${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(bench-${name} PRIVATE ${BENCH_USES} ridgeline_warnings)
  target_compile_definitions(bench-${name} PRIVATE RIDGELINE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  foreach(program ${BENCH_NEEDS})
    if(TARGET ${program})
      add_dependencies(bench-${name} ${program})
    endif()
  endforeach()
  add_dependencies(bench bench-${name})
endfunction()
