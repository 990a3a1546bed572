// Resources that the assembler allotted to each GPU kernel of a candidate, as `ptxas -v` prints them.
#pragma once

#include <cstdint>
#include <string>

namespace ridgeline {

struct KernelResources {
  std::string kernel;             ///< "softmax_rows", "reduce<float, 4>": without return type and parameters
  std::string architecture;       ///< "sm_90"
  int registers = 0;              ///< a thread
  std::int64_t spill_stores = 0;  ///< bytes a thread
  std::int64_t spill_loads = 0;   ///< bytes a thread
  std::int64_t stack = 0;         ///< bytes a thread
  std::int64_t shared = 0;        ///< bytes a block; what a launch asks for dynamically comes on top
  std::int64_t constant = 0;      ///< bytes over all banks
  int barriers = 0;               ///< a block

  bool spills() const { return spill_stores > 0 || spill_loads > 0; }
};

}  // namespace ridgeline
