#include "engine/posix/pipe.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "engine/core/error.hpp"

namespace ridgeline::posix {

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw MachineCannot(std::string("pipe2: ") + std::strerror(errno) + ": raise `ulimit -n`");
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

}  // namespace ridgeline::posix
