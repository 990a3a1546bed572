#include "engine/cli/re_evaluation.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/campaign/enroll.hpp"
#include "engine/cli/answers_of_store.hpp"
#include "engine/cli/open_store.hpp"
#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "llm_clients/batch_results.hpp"
#include "llm_clients/recording.hpp"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;

bool was_asked(const store::Reader& reader, const store::CampaignRecord& campaign, const std::string& entry) {
  for (const auto& trajectory : reader.trajectories(campaign.id))
    for (const auto& attempt : reader.attempts(trajectory.id, store::AskTexts::none))
      if (attempt.ask.model == entry && can_be_replayed(attempt.ask)) return true;
  return false;
}

/// Returns a file name of an entry's name, which may hold any character; different ones for different names.
std::string file_name_of(const std::string& entry) {
  std::string name;
  for (const unsigned char c : entry)
    name += std::isalnum(c) || c == '-' || c == '_' || c == '.' ? std::string(1, static_cast<char>(c))
                                                                : fmt::format("%{:02x}", c);
  return name + ".jsonl.zst";
}

/// Returns the entry with the recording in its provider's place, and nothing of the provider.
llm::Model replayed(const llm::Model& entry, const std::string& recording) {
  llm::Model model;
  model.name = entry.name;
  model.provider = llm::Provider::replay;
  model.path = recording;
  model.temperature = entry.temperature;
  model.max_output_tokens = entry.max_output_tokens;
  model.prices = entry.batch ? llm::batch_model(entry).prices : entry.prices;
  model.limits = entry.limits;
  return model;
}

/// Does the same in the text of the campaign, which is stored.
void replay_in_text(std::string& text, const llm::Model& model) {
  auto document = nlohmann::json::parse(text);
  auto& entry = document.at("models").at(model.name);
  nlohmann::json kept{{"provider", to_string(model.provider)}, {"path", model.path}};
  for (const auto* key : {"temperature", "max_output_tokens", "prices", "limits"})
    if (const auto value = entry.find(key); value != entry.end()) kept[key] = *value;
  entry = std::move(kept);
  text = dump_json(document, 2);
}

}  // namespace

void let_store_answer(campaign::CampaignConfig& config, const std::string& store, const std::string& folder) {
  std::error_code failed;
  if (fs::equivalent(store, config.store, failed))
    throw BadInput("--re-evaluate " + store +
                   ": is the store that this run would write; name another one with --store");
  const auto opened = open_store_with_campaigns(store);
  const store::Reader reader(opened);
  const auto campaign = campaign::newest_branch(reader, config.name).value_or(reader.campaigns().back());
  fs::create_directories(folder, failed);
  if (failed)
    throw MachineCannot("--re-evaluate " + store + ": the folder " + folder +
                        " for its answers cannot be made: " + failed.message() +
                        "; name a store elsewhere with --store, the folder lies beside it");
  std::size_t answers = 0;
  for (auto& model : config.models) {
    llm::Recording recording;
    if (was_asked(reader, campaign, model.name))
      recording = answers_of_store(reader, {.campaign = campaign.name, .entry = model.name});
    answers += recording.answers.size();
    const auto path = fs::absolute(fs::path(folder) / file_name_of(model.name)).string();
    llm::write_recording(recording, path);
    model = replayed(model, path);
    replay_in_text(config.text, model);
  }
  if (answers == 0)
    throw BadInput("--re-evaluate " + store + ": campaign '" + campaign.name +
                   "' there has no answer of the models of this file");
}

}  // namespace ridgeline::cli
