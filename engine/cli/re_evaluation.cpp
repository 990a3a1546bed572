#include "engine/cli/re_evaluation.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/cli/answers_of_store.hpp"
#include "engine/cli/open_store.hpp"
#include "engine/core/error.hpp"
#include "llm_clients/recording.hpp"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;

bool answered(const store::Reader& reader, const store::CampaignRecord& campaign, const std::string& entry) {
  for (const auto& trajectory : reader.trajectories(campaign.id))
    for (const auto& attempt : reader.attempts(trajectory.id, store::AskTexts::none))
      if (attempt.ask.model == entry && !attempt.ask.response_text.empty()) return true;
  return false;
}

}  // namespace

std::vector<std::string> answers_as_overrides(const std::string& store,
                                              const campaign::CampaignConfig& config,
                                              const std::string& folder) {
  std::error_code ignored;
  if (fs::equivalent(store, config.store, ignored))
    throw BadInput("--re-evaluate " + store +
                   ": is the store that this run would write; name another one with --store");
  const auto opened = open_store_with_campaigns(store);
  const store::Reader reader(opened);
  const auto campaign = reader.campaign(config.name).value_or(reader.campaigns().back());
  fs::create_directories(folder);
  std::vector<std::string> overrides;
  std::size_t answers = 0;
  for (const auto& model : config.models) {
    llm::Recording recording;
    if (answered(reader, campaign, model.name))
      recording = answers_of_store(reader, {.campaign = campaign.name, .entry = model.name});
    answers += recording.answers.size();
    const auto path = fs::absolute(fs::path(folder) / (model.name + ".jsonl.zst")).string();
    llm::write_recording(recording, path);
    overrides.push_back("models." + model.name + "={provider: replay, path: " + nlohmann::json(path).dump() +
                        "}");
  }
  if (answers == 0)
    throw BadInput("--re-evaluate " + store + ": campaign '" + campaign.name +
                   "' there has no answer of the models of this file");
  return overrides;
}

}  // namespace ridgeline::cli
