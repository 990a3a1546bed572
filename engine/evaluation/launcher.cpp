#include "engine/evaluation/launcher.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "engine/core/error.hpp"

namespace ridgeline::evaluation {
namespace {

constexpr std::string_view worker_name = "ridgeline-worker";

bool names_a_worker(const std::string& word) {
  return word == worker_name || word.ends_with(std::string("/") + std::string(worker_name));
}

/// Whether a backslash within `quote` (0: none) quotes the character behind it, as in a shell.
bool escapes(char quote, char next) {
  if (quote == '\'') return false;
  return quote == 0 || std::string_view("$`\"\\\n").find(next) != std::string_view::npos;
}

}  // namespace

std::string local_worker() {
  std::error_code error;
  // Not from argv: a program that was found through PATH does not know its folder.
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto worker = self.parent_path() / worker_name;
  if (error || ::access(worker.c_str(), X_OK) != 0)
    throw MachineCannot("no program '" + worker.string() + "': build it (./dev build), or name a launcher");
  return worker.string();
}

WorkerCommand worker_command(const std::vector<std::string>& launcher,
                             const std::vector<std::string>& arguments) {
  WorkerCommand command;
  command.words = launcher;
  // ssh and srun need variables (SSH_AUTH_SOCK) that a worker must not see.
  if (!launcher.empty()) command.environment = protocol::EnvironmentFor::launcher;
  if (std::none_of(launcher.begin(), launcher.end(), names_a_worker)) command.words.push_back(local_worker());
  command.words.insert(command.words.end(), arguments.begin(), arguments.end());
  return command;
}

std::vector<std::string> split_command(const std::string& line) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\\' && i + 1 < line.size() && escapes(quote, line[i + 1])) {
      if (line[++i] != '\n') word = word.value_or("") + line[i];  // else the next line goes on with the word
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        *word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      word = word.value_or("");
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (word) words.push_back(*word);
      word.reset();
    } else {
      word = word.value_or("") + c;
    }
  }
  if (quote != 0)
    throw BadInput("the command line has a " + std::string(1, quote) + " without its end: " + line);
  if (word) words.push_back(*word);
  return words;
}

}  // namespace ridgeline::evaluation
