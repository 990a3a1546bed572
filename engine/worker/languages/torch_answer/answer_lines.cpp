#include "engine/worker/languages/torch_answer/answer_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <regex>
#include <sstream>

namespace ridgeline::torch_answer {
namespace {

using Lines = std::map<int, int>;  // of a composed file to the answer's

int count_lines(const std::string& text) {
  return 1 + static_cast<int>(std::ranges::count(text, '\n'));
}

/// Parts one below the other behind `headers` lines, as compose_as_torch lays them.
Lines stacked(int headers, const std::vector<std::string>& parts, const std::vector<int>& starts) {
  Lines lines;
  int at = headers + 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const int count = count_lines(parts[i]);
    // The answer's own process said where a part begins: it may be a line that no text has.
    if (i < starts.size() && starts[i] > 0 && starts[i] < std::numeric_limits<int>::max() - count)
      for (int line = 0; line < count; ++line) lines[at + line] = starts[i] + line;
    at += count;
  }
  return lines;
}

std::map<std::string, Lines> files_of(const AskedModule& asked) {
  const auto& request = asked.request;
  std::map<std::string, Lines> files;
  if (request.form == torch_extension::ExtensionRequest::Form::files)
    return files;  // they are no strings of the answer
  files["main.cpp"] = stacked(request.implicit_headers ? 1 : 0, request.cpp_sources, asked.cpp_lines);
  files["cuda.cu"] = stacked(request.implicit_headers ? 3 : 0, request.cuda_sources, asked.cuda_lines);
  return files;
}

}  // namespace

std::string in_lines_of_answer(const std::string& log, const AskedModule& asked, const std::string& answer) {
  // g++: "main.cpp:7:12: error", its margin "    7 | code"; nvcc: "cuda.cu(7): error". Nothing is repeated
  // without a bound: an expression takes the stack for each character, and the line is the author's.
  static const std::regex place{R"(\b(main\.cpp|cuda\.cu)([:(])(\d{1,6})\b)"};
  static const std::regex margin{R"(^( {0,16})(\d{1,6})(?= \|))"};
  const auto files = files_of(asked);
  if (files.empty()) return log;
  std::string out;
  const Lines* current = nullptr;
  std::istringstream stream{log};
  for (std::string line; std::getline(stream, line); out += '\n') {
    std::smatch match;
    if (current != nullptr && std::regex_search(line, match, margin)) {
      const auto at = current->find(std::stoi(match[2]));
      if (at != current->end())
        out +=
            fmt::format("{:>{}}{}", at->second, match[1].length() + match[2].length(), match.suffix().str());
      else
        out += line;
      continue;
    }
    std::string rest = line;
    while (std::regex_search(rest, match, place)) {
      const auto& lines = files.at(match[1]);
      const auto at = lines.find(std::stoi(match[3]));
      current = &lines;
      out += match.prefix();
      out += at == lines.end() ? match[0].str() : answer + match[2].str() + std::to_string(at->second);
      rest = match.suffix();
    }
    out += rest;
  }
  if (!log.ends_with('\n') && !out.empty()) out.pop_back();
  return out;
}

}  // namespace ridgeline::torch_answer
