# Language level, warnings, sanitizers, compiler cache: the same for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "g++ ${CMAKE_CXX_COMPILER_VERSION} is too old: Ridgeline needs g++ >= 12 or clang >= 17")
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17)
  message(FATAL_ERROR "clang ${CMAKE_CXX_COMPILER_VERSION} is too old: Ridgeline needs g++ >= 12 or clang >= 17")
endif()

# Most rooms wait for models, compilers and disks: -O1 makes a first build a fifth shorter than -O2. Those that compute
# say so with ridgeline_computes().
string(REPLACE "-O3" "-O1" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
function(ridgeline_computes target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
endfunction()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A clone elsewhere takes what this one compiled, but for tests, whose programs know their clone's place.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()

# A target takes the house's warnings by linking to this; libraries from outside never see them.
add_library(ridgeline_warnings INTERFACE)
# Another compiler than those of the continuous build may warn of more: -DRIDGELINE_WERROR=OFF builds all the same.
option(RIDGELINE_TOGETHER "Compile the files of a room together where it says how many" ON)
option(RIDGELINE_WERROR "Warnings are errors" ON)
target_compile_options(ridgeline_warnings INTERFACE
  -Wall -Wextra -Wpedantic $<$<NOT:$<BOOL:$<TARGET_PROPERTY:RIDGELINE_MAY_SHADOW>>>:-Wshadow> -Wnon-virtual-dtor -Woverloaded-virtual
  -Wno-missing-field-initializers  # designated initializers leave the rest to defaults
  $<$<BOOL:${RIDGELINE_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports uninitialised and dangling uses inside its own std::variant, std::optional and regex.
  target_compile_options(ridgeline_warnings INTERFACE -Wno-maybe-uninitialized -Wno-restrict)
else()
  # libstdc++ 12 deprecates the std::get_temporary_buffer that its own std::stable_sort uses.
  target_compile_options(ridgeline_warnings INTERFACE -Wno-deprecated-declarations)
endif()

set(RIDGELINE_SANITIZE "" CACHE STRING "Sanitizers: empty, address;undefined or thread")
if(RIDGELINE_SANITIZE)
  string(REPLACE ";" "," sanitize_list "${RIDGELINE_SANITIZE}")
  add_compile_options(-fsanitize=${sanitize_list} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${sanitize_list})
  add_compile_definitions(RIDGELINE_SANITIZED_BUILD)  # for tests of what instrumentation changes
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND "thread" IN_LIST RIDGELINE_SANITIZE)
    add_compile_options(-Wno-tsan)  # Asio uses fences that g++ warns of under TSan
  endif()
endif()

# libFuzzer's programs (tests/fuzz), which only clang can make: `./dev fuzz`. Everything is then compiled so that a
# fuzzer sees which branches an input takes.
option(RIDGELINE_FUZZ "Build the fuzzing targets" OFF)
if(RIDGELINE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "fuzzing needs clang: ./dev fuzz, or cmake --preset fuzz")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
