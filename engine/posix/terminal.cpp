#include "engine/posix/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace ridgeline::posix {
namespace {

bool wants_colours() {
  const char* refused = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  return (refused == nullptr || *refused == '\0') && kind != nullptr && std::string_view(kind) != "dumb";
}

}  // namespace

Terminal terminal_of(int descriptor) {
  if (isatty(descriptor) != 1) return {};
  winsize size{};
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return {.columns = known ? size.ws_col : 80u, .colours = wants_colours()};
}

}  // namespace ridgeline::posix
