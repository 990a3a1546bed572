#include "benchmark_tasks/script_places.hpp"

#include <fmt/format.h>

#include <optional>
#include <regex>
#include <sstream>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/yaml/reader.hpp"
#include "engine/yaml/source_text.hpp"

namespace ridgeline::benchmark_tasks {
namespace {

namespace fs = std::filesystem;

/// Finds the script's node anew: the task was loaded long before, and keeps no places.
std::optional<yaml::Node> script_in(const fs::path& file, const std::string& key) {
  auto map = yaml::Document::from_file(file).root().map();
  if (key == "reference") return map.find(key);
  const auto contract = map.find("contract");
  return contract ? contract->map().find(key) : std::nullopt;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Returns the place in the file of a line and column of the script, both from 1. Only a block (`reference:
/// |`) keeps the script's lines. Other texts are folded, so their beginning is all that can be said.
yaml::Place place_in(const yaml::Place& scalar, const std::vector<std::string>& lines, std::size_t line,
                     std::size_t column) {
  auto place = scalar;
  const auto head = static_cast<std::size_t>(scalar.line) - 1;
  if (line == 0 || head >= lines.size() ||
      lines[head].find('|', static_cast<std::size_t>(scalar.column) - 1) == std::string::npos)
    return place;
  std::size_t indentation = 0;  // of the first line with text
  for (auto at = head + 1; at < lines.size(); ++at)
    if (const auto text = lines[at].find_first_not_of(' ');
        text != std::string::npos && lines[at][text] != '\r') {
      indentation = text;
      break;
    }
  place.line += static_cast<int>(line);
  place.column = static_cast<int>(indentation + column);
  return place;
}

}  // namespace

fs::path file_of(const Suite& suite, const std::string& name_or_path) {
  if (name_or_path.ends_with(".yaml") || name_or_path.ends_with(".yml")) return name_or_path;
  const auto& task = find_task(suite, name_or_path);
  return suite.root / task.category / (task.name + ".yaml");
}

std::string placed(const std::string& complaint, const fs::path& file) {
  static const std::regex script(": (reference|unquantized)(?::([0-9]{1,6}):([0-9]{1,6}))?: ");
  std::smatch match;
  try {
    if (!std::regex_search(complaint, match, script)) {
      const bool of_reference = complaint.find("the reference") != std::string::npos;
      const auto node = of_reference ? script_in(file, "reference") : std::nullopt;
      return fmt::format("{}: {}", node ? node->place().text() : file.string(), complaint);
    }
    const auto number = [&](int group) { return match[group].matched ? std::stoul(match[group]) : 0UL; };
    const auto node = script_in(file, match[1]);
    if (!node) return fmt::format("{}: {}", file.string(), complaint);
    const auto place = place_in(node->place(), lines_of(yaml::read_text_file(file)), number(2), number(3));
    return fmt::format("{}: {}: {}", place.text(), match.prefix().str(), match.suffix().str());
  } catch (const Error&) {  // the file was edited or removed meanwhile: the complaint alone still helps
    return fmt::format("{}: {}", file.string(), complaint);
  }
}

}  // namespace ridgeline::benchmark_tasks
