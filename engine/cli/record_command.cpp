// `ridgeline record`: makes a recording of the answers in a mailbox or a store, for `provider: replay`.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "engine/cli/answers_of_store.hpp"
#include "engine/cli/commands.hpp"
#include "engine/cli/open_store.hpp"
#include "engine/cli/printing.hpp"
#include "engine/core/error.hpp"
#include "llm_clients/recording.hpp"

namespace ridgeline::cli {
namespace {

struct RecordArguments {
  std::string from;
  std::string out;
  std::string model;
  std::string note;
  AnswerChoice choice;
};

std::string iso_time_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return iso_time(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

llm::Recording recording_of_mailbox(const RecordArguments& arguments) {
  if (!arguments.choice.campaign.empty() || !arguments.choice.entry.empty())
    throw BadInput("--campaign and --entry choose from a store, and " + arguments.from + " is a mailbox");
  if (arguments.model.empty())
    throw BadInput("--model is missing: a mailbox does not say which model answered");
  llm::Recording recording{.model = {},
                           .recorded_at = iso_time_now(),
                           .note = {},
                           .answers = llm::answers_of_mailbox(arguments.from)};
  if (recording.answers.empty())
    throw BadInput(arguments.from + " holds no answered request: answers belong into its inbox/");
  return recording;
}

llm::Recording recording_of_store(const RecordArguments& arguments) {
  const auto store = open_store_with_campaigns(arguments.from);
  auto recording = answers_of_store(store::Reader(store), arguments.choice);
  if (recording.answers.empty()) throw BadInput(arguments.from + " holds no answer of a model");
  return recording;
}

void record(const RecordArguments& arguments) {
  auto recording = std::filesystem::is_regular_file(arguments.from) ? recording_of_store(arguments)
                                                                    : recording_of_mailbox(arguments);
  if (!arguments.model.empty()) recording.model = arguments.model;
  recording.note = arguments.note;
  llm::write_recording(recording, arguments.out);
  std::fprintf(stderr, "%zu answers recorded in %s\n", recording.answers.size(), arguments.out.c_str());
}

}  // namespace

void add_record_command(CLI::App& app) {
  auto arguments = std::make_shared<RecordArguments>();
  auto* command = app.add_subcommand(
      "record", "Turn the answers in a mailbox or a store into a recording for `provider: replay`");
  command->add_option("FROM", arguments->from, "A mailbox's folder, or a store")->required();
  command->add_option("--out", arguments->out, "File to write (JSON lines; compressed if it ends in .zst)")
      ->required();
  command->add_option("--model", arguments->model,
                      "Which model answered (default: as the store has it; a mailbox does not say)");
  command->add_option("--note", arguments->note, "How and when the answers came about");
  command->add_option("--campaign", arguments->choice.campaign,
                      "Of a store: the campaign (default: the newest)");
  command->add_option("--entry", arguments->choice.entry,
                      "Of a store: only answers of this entry of the campaign's models");
  command->callback([arguments] { record(*arguments); });
}

}  // namespace ridgeline::cli
