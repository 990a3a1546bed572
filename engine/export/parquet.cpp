#include "engine/export/parquet.hpp"

#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"
#include "engine/export/texts.hpp"
#include "engine/posix/child_process.hpp"
#include "engine/posix/pipe.hpp"
#include "engine/python/which_python.hpp"

namespace ridgeline::exporting {
namespace {

/// This process's environment: the user's Python finds its packages by it.
std::vector<std::string> own_environment() {
  std::vector<std::string> variables;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) variables.emplace_back(*at);
  return variables;
}

/// Reads to the end, and keeps the last line: of a traceback, the one that says what went wrong.
std::string last_line_from(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = ::read(descriptor, buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(count));
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

void to_parquet(const nlohmann::json& schema, const std::string& lines, const std::string& parquet) {
  const auto interpreter = python::which_python();
  auto said = posix::make_pipe();
  posix::ChildProcess child(
      {.words = {interpreter, "-c", detail::to_parquet, schema.dump(), lines, parquet},
       .environment = own_environment(),
       .descriptors = {{said.write.get(), STDERR_FILENO}},
       .advice = ": parquet is written by a Python with pyarrow; name one in RIDGELINE_PYTHON"});
  said.write.reset();
  const auto reason = last_line_from(said.read.get());
  const auto end = child.wait();
  if (end.ok()) return;
  throw MachineCannot("parquet could not be written: " + (reason.empty() ? posix::describe(end) : reason) +
                      "; install pyarrow there, or name a Python that has it in RIDGELINE_PYTHON");
}

}  // namespace ridgeline::exporting
