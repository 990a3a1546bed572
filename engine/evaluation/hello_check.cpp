#include "engine/evaluation/hello_check.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace ridgeline::evaluation {
namespace {

std::string bulleted(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += "\n  - " + line;
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

}  // namespace

int isolation_rank(const std::string& level) {
  // From the weakest to the strongest; the position is the rank.
  constexpr std::array<std::string_view, 3> levels = {"none", "standard", "strict"};
  const auto found = std::find(levels.begin(), levels.end(), level);
  if (found == levels.end())
    throw BadInput("'" + level + "' is no isolation level: choose strict, standard or none");
  return static_cast<int>(found - levels.begin());
}

void check_hello(const protocol::Hello& hello, const Requirements& requirements) {
  const std::string where = "the worker on " + hello.host;
  for (const auto& language : requirements.languages) {
    // The shortfalls of the hello say how to add the language, so they are quoted whole.
    if (std::find(hello.languages.begin(), hello.languages.end(), language) != hello.languages.end())
      continue;
    throw MachineCannot(where + " cannot evaluate '" + language + "' kernels (it can: " +
                        joined(hello.languages) + "). What it lacks:" + bulleted(hello.shortfalls) +
                        "\nChoose one of its languages, or a launcher for a machine that has it.");
  }
  if (!requirements.backend.empty() &&
      std::ranges::find(hello.backends, requirements.backend) == hello.backends.end())
    throw MachineCannot(where + " has no device for the backend '" + requirements.backend + "' (it has: " +
                        joined(hello.backends) + "). What it lacks:" + bulleted(hello.shortfalls) +
                        "\nChoose another worker.backend, or a launcher for a machine that has one.");
  if (isolation_rank(hello.isolation.level) < isolation_rank(requirements.isolation))
    throw MachineCannot(where + " offers the isolation level '" + hello.isolation.level + "' (" +
                        hello.isolation.details + "), '" + requirements.isolation +
                        "' was asked for. What is missing:" + bulleted(hello.isolation.missing) +
                        "\nTo accept less, set worker.isolation to '" + hello.isolation.level +
                        "' (--set worker.isolation=" + hello.isolation.level + ").");
}

}  // namespace ridgeline::evaluation
