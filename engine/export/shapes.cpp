#include "engine/export/shapes.hpp"

#include <nlohmann/json.hpp>

#include "engine/export/row.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;

/// Messages in LLaMA-Factory's words. It wants people and models to take turns, so neighbours of one role
/// become one turn.
struct ShareGpt {
  std::string system;
  json turns = json::array();
};

ShareGpt as_sharegpt(const json& messages) {
  ShareGpt said;
  for (const auto& message : messages) {
    const auto& text = message.at("content").get_ref<const std::string&>();
    if (message.at("role") == "system") {
      said.system += (said.system.empty() ? "" : "\n\n") + text;
      continue;
    }
    const char* from = message.at("role") == "assistant" ? "gpt" : "human";
    if (!said.turns.empty() && said.turns.back().at("from") == from)
      said.turns.back()["value"] = said.turns.back().at("value").get<std::string>() + "\n\n" + text;
    else
      said.turns.push_back({{"from", from}, {"value", text}});
  }
  return said;
}

json with_answer(json prompt, const std::string& answer) {
  prompt.push_back({{"role", "assistant"}, {"content", answer}});
  return prompt;
}

json sharegpt_line(const json& messages, json line) {
  auto said = as_sharegpt(messages);
  line["conversations"] = std::move(said.turns);
  line["system"] = std::move(said.system);
  return line;
}

json from_gpt(const std::string& text) {
  return {{"from", "gpt"}, {"value", text}};
}

}  // namespace

json answer_line(Format format, const json& prompt, const std::string& answer, const json& about) {
  if (format == Format::openai_sft) return {{"messages", with_answer(prompt, answer)}};
  if (format == Format::sharegpt) return sharegpt_line(with_answer(prompt, answer), about);
  auto line = about;
  if (format == Format::trl_messages) {
    line["messages"] = with_answer(prompt, answer);
  } else {
    line["prompt"] = prompt;
    line["completion"] = as_completion(answer);
  }
  return line;
}

json preference_line(Format format, const json& prompt, const std::string& chosen,
                     const std::string& rejected, const json& about) {
  if (format == Format::openai_dpo)
    return {{"input", {{"messages", prompt}}},
            {"preferred_output", as_completion(chosen)},
            {"non_preferred_output", as_completion(rejected)}};
  auto line = format == Format::sharegpt_dpo ? sharegpt_line(prompt, about) : about;
  if (format == Format::sharegpt_dpo) {
    line["chosen"] = from_gpt(chosen);
    line["rejected"] = from_gpt(rejected);
  } else {
    line["prompt"] = prompt;
    line["chosen"] = as_completion(chosen);
    line["rejected"] = as_completion(rejected);
  }
  return line;
}

json label_line(Format format, const json& prompt, const std::string& answer, bool label, const json& about) {
  if (format == Format::sharegpt_kto) {
    auto line = sharegpt_line(with_answer(prompt, answer), about);
    line["kto_tag"] = label;
    return line;
  }
  auto line = about;
  line["prompt"] = prompt;
  line["completion"] = as_completion(answer);
  line["label"] = label;
  return line;
}

json prompt_line(Format format, const json& prompt, const std::vector<GradedAnswer>& answers, int index,
                 const json& about) {
  if (format != Format::verl) {
    auto line = about;
    line["prompt"] = prompt;
    return line;
  }
  auto extra = about;
  extra["index"] = index;
  for (const auto* list : {"answers", "outcomes", "rewards", "speedups"}) extra[list] = json::array();
  for (const auto& answer : answers) {
    extra["answers"].push_back(answer.text);
    extra["outcomes"].push_back(answer.outcome);
    extra["rewards"].push_back(answer.reward);
    extra["speedups"].push_back(answer.speedup);
  }
  return {{"data_source", "ridgeline"},
          {"prompt", prompt},
          {"ability", "kernel"},
          {"reward_model", {{"style", "rule"}, {"ground_truth", about.at("task")}}},
          {"extra_info", std::move(extra)}};
}

}  // namespace ridgeline::exporting
