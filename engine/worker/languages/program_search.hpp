// Finds programs on this machine.
#pragma once

#include <optional>
#include <string>

namespace ridgeline::languages {

/// Returns the path of a program named absolutely or to be found on the PATH, if this user may run it. A
/// ccache under its name is passed over: it wants a home folder, and builds are kept in a cache of our own.
std::optional<std::string> find_program(const std::string& name);

/// Returns "/opt/gcc-14" for /opt/gcc-14/bin/g++, links followed; "" for what Policy::system_programs()
/// admits anyway.
std::string root_outside_usr(const std::string& program);

}  // namespace ridgeline::languages
