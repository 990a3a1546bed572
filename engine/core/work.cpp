#include "engine/core/work.hpp"

namespace ridgeline {

Work work_of(const Task& task, const Symbols& sizes) {
  Work work{.operations = task.operations.evaluate(sizes), .bytes = task.bytes.evaluate(sizes)};
  for (const auto* tensor : task.tensors()) {
    const auto bytes = static_cast<double>(byte_count(*tensor, sizes));
    switch (tensor->role) {
      case Role::in:
        work.read += bytes;
        break;
      case Role::out:
        work.written += bytes;
        break;
      case Role::inout:
        work.updated += bytes;
        break;
    }
  }
  return work;
}

}  // namespace ridgeline
