# Every library from outside, found once. `./dev setup` installs all of them.
find_package(Threads REQUIRED)
find_package(OpenSSL 3 REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(SQLite3 3.38 REQUIRED)  # the store's views use ->>
find_package(GTest REQUIRED)
# The archive where it is there: a runner in its sandbox then needs no library but the system's own.
find_library(SECCOMP_ARCHIVE NAMES libseccomp.a seccomp REQUIRED)
find_library(SQLITECPP_LIBRARY SQLiteCpp REQUIRED)

if(NOT TARGET yaml-cpp::yaml-cpp)  # yaml-cpp 0.7 exports the bare name
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()

# Enums are written by their names (engine/core/json_fields.hpp). A file that writes one without that header would make
# it a number, and two meanings of one template, of which the linker takes either for the whole program.
target_compile_definitions(nlohmann_json::nlohmann_json INTERFACE JSON_DISABLE_ENUM_SERIALIZATION=1)

add_library(seccomp INTERFACE)
target_link_libraries(seccomp INTERFACE ${SECCOMP_ARCHIVE})

find_library(ZSTD_LIBRARY NAMES libzstd.a zstd REQUIRED)
add_library(zstd INTERFACE)
target_link_libraries(zstd INTERFACE ${ZSTD_LIBRARY})

add_library(sqlitecpp INTERFACE)
target_link_libraries(sqlitecpp INTERFACE ${SQLITECPP_LIBRARY} SQLite::SQLite3)

# Asio and Beast are compiled once, here; Asio's TLS half once in llm_clients/tls_impl.cpp.
add_library(asio STATIC ${CMAKE_CURRENT_LIST_DIR}/asio_impl.cpp ${CMAKE_CURRENT_LIST_DIR}/beast_impl.cpp)
target_compile_definitions(asio PUBLIC BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED
                                       BOOST_BEAST_SEPARATE_COMPILATION)
target_link_libraries(asio PUBLIC Boost::headers Threads::Threads)

# LibTorch comes from the torch wheel. Its own TorchConfig.cmake probes for a GPU and drags in all of
# CUDA, so the CPU half is imported by hand; the judge loads the CUDA half at run time.
set(RIDGELINE_TORCH "$ENV{HOME}/.cache/ridgeline/torch-2.11.0" CACHE PATH "Folder that holds the torch wheel's torch/")
if(NOT EXISTS ${RIDGELINE_TORCH}/torch/lib/libtorch_cpu.so)
  message(FATAL_ERROR "LibTorch is not in ${RIDGELINE_TORCH}: run ./dev setup, or pass -DRIDGELINE_TORCH=DIR")
endif()
file(STRINGS ${RIDGELINE_TORCH}/torch/version.py RIDGELINE_TORCH_VERSION REGEX "^__version__ = ")
string(REGEX REPLACE "^__version__ = '([0-9.]+).*" "\\1" RIDGELINE_TORCH_VERSION "${RIDGELINE_TORCH_VERSION}")
add_library(torch_cpu INTERFACE)
target_include_directories(torch_cpu SYSTEM INTERFACE
  ${RIDGELINE_TORCH}/torch/include ${RIDGELINE_TORCH}/torch/include/torch/csrc/api/include)
# The wheel's include folder carries its own fmt (12), which comes before the system's and whose library nothing
# links: whoever includes torch uses that fmt as headers alone. Its namespace is versioned, so both may meet.
target_compile_definitions(torch_cpu INTERFACE FMT_HEADER_ONLY)
target_link_directories(torch_cpu INTERFACE ${RIDGELINE_TORCH}/torch/lib)
target_link_options(torch_cpu INTERFACE
  LINKER:-rpath,${RIDGELINE_TORCH}/torch/lib LINKER:-rpath,${RIDGELINE_TORCH}/cuda/lib
  LINKER:-rpath-link,${RIDGELINE_TORCH}/torch/lib LINKER:-rpath-link,${RIDGELINE_TORCH}/cuda/lib
  LINKER:--disable-new-dtags)
target_link_libraries(torch_cpu INTERFACE torch_cpu_so)
add_library(torch_cpu_so INTERFACE)
target_link_libraries(torch_cpu_so INTERFACE -ltorch_cpu -lc10)

# cuda.h and CUPTI's headers come with the nvidia-cuda-runtime and nvidia-cuda-cupti wheels that `./dev setup` unpacks
# beside torch, or with a toolkit. Nothing of CUDA is linked: driver and CUPTI are loaded at run time.
find_path(RIDGELINE_CUDA_INCLUDE cuda.h HINTS ${RIDGELINE_TORCH}/cuda/include /usr/local/cuda/include)
if(NOT RIDGELINE_CUDA_INCLUDE)
  message(FATAL_ERROR "cuda.h is not in ${RIDGELINE_TORCH}/cuda/include: run ./dev setup, or pass -DRIDGELINE_CUDA_INCLUDE=DIR")
endif()
find_path(RIDGELINE_CUPTI_INCLUDE cupti_range_profiler.h HINTS ${RIDGELINE_CUDA_INCLUDE} ${RIDGELINE_CUDA_INCLUDE}/../extras/CUPTI/include
          ${RIDGELINE_TORCH}/cuda/include /usr/local/cuda/include /usr/local/cuda/extras/CUPTI/include)
if(NOT RIDGELINE_CUPTI_INCLUDE)
  message(FATAL_ERROR "cupti_range_profiler.h is not in ${RIDGELINE_TORCH}/cuda/include: run ./dev setup, or pass -DRIDGELINE_CUPTI_INCLUDE=DIR")
endif()
add_library(cuda_headers INTERFACE)
target_include_directories(cuda_headers SYSTEM INTERFACE ${RIDGELINE_CUDA_INCLUDE} ${RIDGELINE_CUPTI_INCLUDE})
