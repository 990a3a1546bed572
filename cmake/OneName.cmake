# Which files the whole program consists of, and with what flags they are compiled: for tests/one_name, which reads all
# of them as one file. ridgeline_room, ridgeline_program and ridgeline_headers_alone tell their own; a target that is
# made by hand is told with ridgeline_of_the_program(TARGET).
function(ridgeline_of_the_program target)
  set_property(GLOBAL APPEND PROPERTY RIDGELINE_TARGETS ${target})
endfunction()

# Writes one_name/files and one_name/flags into the build, and adds the tests.
function(ridgeline_one_name)
  get_property(targets GLOBAL PROPERTY RIDGELINE_TARGETS)
  get_property(files GLOBAL PROPERTY RIDGELINE_HEADERS)
  set(includes "")
  set(definitions "")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
      continue()
    endif()
    get_target_property(sources ${target} SOURCES)
    list(APPEND files ${sources})
    list(APPEND includes $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    list(APPEND definitions $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  endforeach()
  list(REMOVE_DUPLICATES files)
  string(REPLACE "${CMAKE_SOURCE_DIR}/" "" files "${files}")
  list(JOIN files "\n" lines)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/one_name/files CONTENT "${lines}\n")

  # Folders from outside come after the system's: torch's has an fmt of its own, which is newer than what most rooms are
  # compiled with. Quoted, since a definition may be a string.
  set(includes $<FILTER:$<REMOVE_DUPLICATES:${includes}>,EXCLUDE,^/usr/include$>)
  set(definitions $<REMOVE_DUPLICATES:${definitions}>)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/one_name/flags CONTENT
       "-std=c++${CMAKE_CXX_STANDARD}\n-fPIC\n'-I${CMAKE_SOURCE_DIR}'\n'-idirafter$<JOIN:${includes},'\n'-idirafter>'\n'-D$<JOIN:${definitions},'\n'-D>'\n")

  set(folder ${CMAKE_SOURCE_DIR}/tests/one_name)
  set(list ${CMAKE_BINARY_DIR}/one_name/files)
  add_test(NAME one_name.every_file_is_read COMMAND ${folder}/every_file.sh ${list} ${CMAKE_SOURCE_DIR})
  add_test(NAME one_name.no_name_is_defined_twice
           COMMAND ${folder}/whole_program.sh ${CMAKE_CXX_COMPILER} ${CMAKE_BINARY_DIR}/one_name/flags ${list})
  add_test(NAME one_name.planted_doubles_are_found COMMAND ${folder}/planted_test.sh ${CMAKE_CXX_COMPILER})
  set_tests_properties(one_name.every_file_is_read one_name.no_name_is_defined_twice one_name.planted_doubles_are_found
                       PROPERTIES TIMEOUT 900 LABELS one_name)
endfunction()
