#include "engine/cli/answers_of_store.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/cli/printing.hpp"
#include "engine/core/error.hpp"
#include "engine/core/names.hpp"
#include "llm_clients/answer.hpp"

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

/// Returns the finish reason under which the call ends on replay as it ended: the provider's own word where
/// that says it, since a refusal or a failure may have no word, or one that says nothing of it.
std::string finish_reason_on_replay(const store::AskRecord& ask) {
  const auto status = from_name<llm::LlmStatus>(ask.llm_status);
  if (!status || *status == llm::LlmStatus::answered || llm::status_of_finish(ask.finish_reason) == *status)
    return ask.finish_reason;
  if (*status == llm::LlmStatus::truncated) return "length";
  return *status == llm::LlmStatus::refused ? "content_filter" : "error";
}

llm::RecordedAnswer answer_of(const store::TrajectoryRecord& trajectory, const store::AskRecord& ask) {
  return {.address = {trajectory.task_name, trajectory.strategy, trajectory.seed, ask.step, ask.slot},
          .request_hash = ask.request_hash,
          .prompt = messages_of(ask.prompt),
          .text = ask.response_text,
          .reasoning = ask.reasoning,
          .finish_reason = finish_reason_on_replay(ask),
          .usage = usage_of(ask.tokens)};
}

}  // namespace

bool can_be_replayed(const store::AskRecord& ask) {
  if (!ask.response_text.empty()) return true;
  return !ask.llm_status.empty() && ask.status != AnswerStatus::missing_recording &&
         ask.status != AnswerStatus::budget_exhausted && ask.status != AnswerStatus::cancelled;
}

llm::Recording answers_of_store(const store::Reader& reader, const AnswerChoice& choice) {
  const auto campaign = chosen_campaign(reader, choice.campaign);
  llm::Recording recording;
  std::set<std::string> models, entries;
  std::map<std::string, std::string> answered_by;  // entry, by address
  store::Milliseconds last = 0;
  for (const auto& trajectory : reader.trajectories(campaign.id))
    for (const auto& attempt : reader.attempts(trajectory.id, store::AskTexts::prompt)) {
      const auto& ask = attempt.ask;
      if (!can_be_replayed(ask)) continue;
      entries.insert(ask.model);
      if (!choice.entry.empty() && ask.model != choice.entry) continue;
      auto answer = answer_of(trajectory, ask);
      const auto [at, first] = answered_by.emplace(to_string(answer.address), ask.model);
      if (!first)
        throw BadInput(fmt::format("both '{}' and '{}' answered {}: choose one with --entry", at->second,
                                   ask.model, at->first));
      // A call that failed may not say which model it was, and an entry's name beside the model's misleads.
      if (!ask.provider_model.empty() || !ask.response_text.empty())
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
