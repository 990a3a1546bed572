#include "engine/cli/answers_of_store.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/cli/printing.hpp"
#include "engine/core/error.hpp"

namespace ridgeline::cli {
namespace {

store::CampaignRecord chosen_campaign(const store::Reader& reader, const std::string& name) {
  const auto campaigns = reader.campaigns();
  if (name.empty() && !campaigns.empty()) return campaigns.back();
  if (auto found = reader.campaign(name)) return *found;
  std::vector<std::string> names;
  for (const auto& campaign : campaigns) names.push_back(campaign.name);
  throw BadInput(fmt::format("no campaign '{}' in this store; it holds: {}", name, fmt::join(names, ", ")));
}

std::vector<llm::Message> messages_of(const std::string& prompt) {
  std::vector<llm::Message> messages;
  for (const auto& message : nlohmann::json::parse(prompt))
    messages.push_back({message.at("role").get<std::string>(), message.at("content").get<std::string>()});
  return messages;
}

llm::Usage usage_of(const store::TokenUsage& tokens) {
  return {.input_tokens = tokens.input,
          .output_tokens = tokens.output,
          .cached_input_tokens = tokens.cached,
          .cache_write_tokens = tokens.cache_write,
          .reasoning_tokens = tokens.reasoning,
          .reported = tokens.input > 0 || tokens.output > 0};
}

llm::RecordedAnswer answer_of(const store::TrajectoryRecord& trajectory, const store::AskRecord& ask) {
  return {.address = {trajectory.task_name, trajectory.strategy, trajectory.seed, ask.step, ask.slot},
          .request_hash = ask.request_hash,
          .prompt = messages_of(ask.prompt),
          .text = ask.response_text,
          .reasoning = ask.reasoning,
          .finish_reason = ask.finish_reason,
          .usage = usage_of(ask.tokens)};
}

}  // namespace

llm::Recording answers_of_store(const store::Reader& reader, const AnswerChoice& choice) {
  const auto campaign = chosen_campaign(reader, choice.campaign);
  llm::Recording recording;
  std::set<std::string> models, entries;
  std::map<std::string, std::string> answered_by;  // entry, by address
  store::Milliseconds last = 0;
  for (const auto& trajectory : reader.trajectories(campaign.id))
    for (const auto& attempt : reader.attempts(trajectory.id, store::AskTexts::prompt)) {
      const auto& ask = attempt.ask;
      if (ask.response_text.empty()) continue;
      entries.insert(ask.model);
      if (!choice.entry.empty() && ask.model != choice.entry) continue;
      auto answer = answer_of(trajectory, ask);
      const auto [at, first] = answered_by.emplace(to_string(answer.address), ask.model);
      if (!first)
        throw BadInput(fmt::format("both '{}' and '{}' answered {}: choose one with --entry", at->second,
                                   ask.model, at->first));
      models.insert(ask.provider_model.empty() ? ask.model : ask.provider_model);
      last = std::max(last, ask.ended_at);
      recording.answers.push_back(std::move(answer));
    }
  if (!choice.entry.empty() && !entries.contains(choice.entry))
    throw BadInput(fmt::format("no answer of an entry '{}' in campaign '{}'; entries that answered: {}",
                               choice.entry, campaign.name, fmt::join(entries, ", ")));
  recording.model = fmt::format("{}", fmt::join(models, ", "));
  recording.recorded_at = iso_time(last);
  return recording;
}

}  // namespace ridgeline::cli
