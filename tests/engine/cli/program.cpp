#include "tests/engine/cli/program.hpp"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/engine/store/samples.hpp"
#include "tests/places.hpp"

namespace ridgeline::cli {
namespace {

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

ProgramResult ridgeline(const std::vector<std::string>& words, const std::string& input, int limit) {
  const store::samples::Folder folder;
  write_file(folder.path("in"), input);
  std::string command = "RIDGELINE_TASKS=" + quoted((places::sources() / "benchmark_tasks").string()) + ' ' +
                        (limit > 0 ? "timeout -s KILL " + std::to_string(limit) + ' ' : "") +
                        quoted((places::programs() / "ridgeline").string());
  for (const auto& word : words) command += ' ' + quoted(word);
  command += " <" + quoted(folder.path("in")) + " >" + quoted(folder.path("out")) + " 2>" +
             quoted(folder.path("err"));
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder.path("out")),
          read_file(folder.path("err"))};
}

}  // namespace ridgeline::cli
