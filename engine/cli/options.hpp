// What several commands read from the command line in the same way.
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

/// The value of `option`, one of the enum's names. Throws BadInput with the nearest.
template <NamedEnum E>
E named(const std::string& text, const std::string& option) {
  if (const auto value = from_name<E>(text)) return *value;
  throw BadInput(option + ": there is no '" + text + "'" + suggestion(text, all_names<E>()));
}

/// "cpp, cuda, triton, torch": for the text of --help.
template <NamedEnum E>
std::string choices() {
  std::string list;
  for (const auto& name : all_names<E>()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

/// Add `--json`, `--suite` (for suites::open) and `--launcher`; the targets outlive the app.
void add_json_option(CLI::App& command, bool& json);
void add_suite_option(CLI::App& command, std::string& suite);
void add_launcher_option(CLI::App& command, std::string& launcher);

}  // namespace ridgeline::cli
