// Reads what several commands take from the command line in the same way.
#pragma once

#include <memory>
#include <string>

#include "engine/core/error.hpp"
#include "engine/core/names.hpp"
#include "engine/core/nearest.hpp"

namespace CLI {
class App;
}

namespace ridgeline::cli {

/// Returns the enumerator called `text`, which was given as `option`. Throws BadInput that names the nearest
/// valid name.
template <NamedEnum E>
E enumerator(const std::string& text, const std::string& option) {
  if (const auto value = from_name<E>(text)) return *value;
  throw BadInput(option + ": there is no '" + text + "'" + suggestion(text, all_names<E>()));
}

/// Returns the enum's names as a list for --help: "cpp, cuda, triton, torch".
template <NamedEnum E>
std::string choices() {
  std::string list;
  for (const auto& name : all_names<E>()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

// Each adds an option and writes what is given into the variable, which must outlive the app: `--json`;
// `--suite`, a location for suites::open; `--launcher`, a command line that starts a worker elsewhere, for
// evaluation::split_command and worker_command.
void add_json_option(CLI::App& command, bool& json);
void add_suite_option(CLI::App& command, std::string& suite);
void add_launcher_option(CLI::App& command, std::string& launcher);

}  // namespace ridgeline::cli
