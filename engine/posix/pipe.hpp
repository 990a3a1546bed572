#pragma once

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::posix {

/// Both ends are close-on-exec: a child has only those that ChildCommand names.
struct Pipe {
  FileDescriptor read, write;
};

/// Throws MachineCannot.
Pipe make_pipe();

}  // namespace ridgeline::posix
