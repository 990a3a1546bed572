#pragma once

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::posix {

/// An anonymous pipe. Both ends are close-on-exec, so a child has only those that its ChildCommand
/// (child_process.hpp) names.
struct Pipe {
  FileDescriptor read, write;
};

/// Makes a pipe whose ends wait (no O_NONBLOCK). Throws MachineCannot if there are no more descriptors.
Pipe make_pipe();

}  // namespace ridgeline::posix
