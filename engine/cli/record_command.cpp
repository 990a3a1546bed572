// `ridgeline record`: answers that people brought through a mailbox, as a recording that `provider: replay`
// plays back.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>

#include "engine/cli/commands.hpp"
#include "engine/core/error.hpp"
#include "llm_clients/recording.hpp"

namespace ridgeline::cli {
namespace {

struct RecordArguments {
  std::string mailbox;
  std::string out;
  std::string model;
  std::string note;
};

/// Returns the time in UTC, in ISO 8601.
std::string utc_now() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

void record(const RecordArguments& arguments) {
  llm::Recording recording{arguments.model, utc_now(), arguments.note,
                           llm::answers_of_mailbox(arguments.mailbox)};
  if (recording.answers.empty())
    throw BadInput(arguments.mailbox + " holds no answered request: answers belong into its inbox/");
  llm::write_recording(recording, arguments.out);
  std::fprintf(stderr, "%zu answers recorded in %s\n", recording.answers.size(), arguments.out.c_str());
}

}  // namespace

void add_record_command(CLI::App& app) {
  auto arguments = std::make_shared<RecordArguments>();
  auto* command =
      app.add_subcommand("record", "Turn the answers of a mailbox into a recording for `provider: replay`");
  command->add_option("mailbox", arguments->mailbox, "The mailbox's folder")->required();
  command->add_option("--out", arguments->out, "File to write (JSON lines; compressed if it ends in .zst)")
      ->required();
  command->add_option("--model", arguments->model, "Which model answered")->required();
  command->add_option("--note", arguments->note, "How and when the answers came about");
  command->callback([arguments] { record(*arguments); });
}

}  // namespace ridgeline::cli
