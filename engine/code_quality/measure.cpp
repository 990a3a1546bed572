#include "engine/code_quality/measure.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "engine/code_quality/maintainability.hpp"
#include "engine/code_quality/source_text.hpp"
#include "engine/code_quality/texts.hpp"
#include "engine/core/error.hpp"
#include "engine/posix/child_process.hpp"
#include "engine/python/which_python.hpp"

namespace ridgeline::code_quality {
namespace {

using nlohmann::json;

constexpr int kNoRadon = 3;  // radon_script.py

/// This process's environment: the user's Python finds its packages by it.
std::vector<std::string> inherited_environment() {
  std::vector<std::string> variables;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) variables.emplace_back(*at);
  return variables;
}

std::string program() {
  for (const auto* module = detail::python_modules; module->name != nullptr; ++module)
    if (std::string_view(module->name) == "quality") return std::string(module->text) + detail::radon_script;
  throw Error("the program lacks the module quality");
}

/// A file in memory, so that neither side waits for the other.
FileDescriptor memory_file(const std::string& content) {
  FileDescriptor file(::memfd_create("code-quality", MFD_CLOEXEC));
  if (!file) throw MachineCannot("memfd_create: no file in memory; fix: raise `ulimit -n`");
  for (std::size_t at = 0; at < content.size();) {
    const auto count = ::write(file.get(), content.data() + at, content.size() - at);
    if (count < 0) throw MachineCannot("sources do not fit in memory");
    at += static_cast<std::size_t>(count);
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

std::string content_of(const FileDescriptor& file) {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  for (ssize_t count = 0;
       (count = ::pread(file.get(), buffer.data(), buffer.size(), static_cast<off_t>(text.size()))) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(count));
  return text;
}

std::optional<CodeFigures> figures_in(const std::string& line) {
  const auto found = json::parse(line, nullptr, false);
  if (!found.is_object() || !found.contains("maintainability_index")) return std::nullopt;
  return CodeFigures{.index = found.value("maintainability_index", 0.0),
                     .mean_complexity = found.value("avg_complexity", 0.0),
                     .most_complexity = found.value("max_complexity", 0.0)};
}

/// Asks radon for the sources at `places`.
void ask_radon(const std::vector<Candidate>& sources, const std::vector<std::size_t>& places,
               Measured& measured) {
  std::string lines;
  for (const auto place : places)
    lines += json(sources[place].source).dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
  const auto asked = memory_file(lines), said = memory_file("");
  const auto interpreter = python::which_python();
  posix::ChildProcess child({.words = {interpreter, "-B", "-c", program()},
                             .environment = inherited_environment(),
                             .descriptors = {{asked.get(), STDIN_FILENO}, {said.get(), STDOUT_FILENO}},
                             .advice = ": maintainability of Python is radon's; name a Python that has it in "
                                       "RIDGELINE_PYTHON"});
  const auto end = child.wait();
  if (!end.ok()) {
    const bool lacks_radon = !end.signalled && end.code == kNoRadon;
    measured.why_no_python_figures =
        lacks_radon ? interpreter + " has no radon: `" + interpreter + " -m pip install radon`"
                    : interpreter + ", which asks radon: " + posix::describe(end) +
                          "; fix: name another Python that has radon in RIDGELINE_PYTHON";
    return;
  }
  std::istringstream answers(content_of(said));
  std::string line;
  std::getline(answers, line);
  const auto head = json::parse(line, nullptr, false);
  if (!head.is_object() || !head.contains("radon")) {
    measured.why_no_python_figures =
        interpreter +
        " printed something before radon's figures; fix: name another Python that has radon in "
        "RIDGELINE_PYTHON";
    return;
  }
  for (const auto place : places)
    if (std::getline(answers, line)) measured.figures[place] = figures_in(line);
}

}  // namespace

Measured measure(const std::vector<Candidate>& sources) {
  Measured measured;
  measured.figures.resize(sources.size());
  std::vector<std::size_t> of_python;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (is_python(sources[i].language)) {
      of_python.push_back(i);
      continue;
    }
    const auto found = maintainability(sources[i].source, sources[i].language);
    const double complexity = found->complexity;
    measured.figures[i] = CodeFigures{found->index, complexity, complexity};
  }
  if (!of_python.empty()) ask_radon(sources, of_python, measured);
  return measured;
}

}  // namespace ridgeline::code_quality
