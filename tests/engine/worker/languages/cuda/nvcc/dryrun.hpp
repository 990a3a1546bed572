// Quotes what nvcc 13.0 says to `--dryrun --keep`, shortened to what the plan reads.
#pragma once

#include <string>

namespace ridgeline::nvcc {

inline constexpr const char* kDryrun = R"(#$ _NVVM_BRANCH_=nvvm
#$ _SPACE_= 
#$ _HERE_=/toolkit/bin
#$ TOP=/toolkit/bin/..
#$ CICC_PATH=/toolkit/bin/../nvvm/bin
#$ NVVMIR_LIBRARY_DIR=/toolkit/bin/../nvvm/libdevice
#$ LD_LIBRARY_PATH=/toolkit/bin/../lib:
#$ PATH=/toolkit/bin:/usr/bin:/bin
#$ INCLUDES="-I/toolkit/bin/../include"  
#$ LIBRARIES=  "-L/toolkit/bin/../lib/stubs" "-L/toolkit/bin/../lib"
#$ CUDAFE_FLAGS=
#$ "/usr/bin"/g++ -std=c++17 -E -x c++ -D__CUDACC__  -fPIC -O3 "-I/toolkit/bin/../include"    -include "cuda_runtime.h" -m64 "kernel.cu" -o "kernel.cpp4.ii" 
#$ cudafe++ --c++17 --orig_src_file_name "kernel.cu" --orig_src_path_name "/cache/scratch-a1B2c3/kernel.cu" --error_limit=20 --gen_c_file_name "kernel.cudafe1.cpp" --stub_file_name "kernel.cudafe1.stub.c" --gen_module_id_file --module_id_file_name "kernel.module_id" "kernel.cpp4.ii" 
#$ "/usr/bin"/g++ -std=c++17 -D__CUDA_ARCH__=900 -E -x c++ -fPIC -O3 "-I/toolkit/bin/../include"    -include "cuda_runtime.h" -m64 "kernel.cu" -o "kernel.cpp1.ii" 
#$ "$CICC_PATH/cicc" --c++17 --orig_src_path_name "/cache/scratch-a1B2c3/kernel.cu"  -arch compute_90 --include_file_name "kernel.fatbin.c" --module_id_file_name "kernel.module_id" --gen_c_file_name "kernel.cudafe1.c" --stub_file_name "kernel.cudafe1.stub.c" --gen_device_file_name "kernel.cudafe1.gpu"  "kernel.cpp1.ii" -o "kernel.ptx"
#$ ptxas -arch=sm_90 -m64 -v  --generate-line-info "kernel.ptx"  -o "kernel.cubin" 
#$ fatbinary --create="kernel.fatbin" -64 --ident="kernel.cu" --cmdline="-v  --generate-line-info " "--image3=kind=elf,sm=90,file=kernel.cubin" --embedded-fatbin="kernel.fatbin.c" 
#$ "/usr/bin"/g++ -std=c++17 -D__CUDA_ARCH__=900 -c -x c++  -fPIC -O3 -Wno-psabi "-I/toolkit/bin/../include"   -m64 "kernel.cudafe1.cpp" -o "kernel.o" 
#$ "/usr/bin"/g++ -fPIC -O3 -m64 -Wl,--start-group "kernel.o" "trampoline.o" -shared -Xlinker -z -Xlinker defs   "-L/toolkit/bin/../lib"  -lcudart_static  -Wl,--end-group -o "kernel.so" 
)";

inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

}  // namespace ridgeline::nvcc
