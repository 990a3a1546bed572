// Gives training data the form of a trainer. select_*.cpp decide which prompts, answers and pairs there are;
// these functions say under which keys they stand. For ShareGPT they also join neighbours of one role.
//
// A prompt is a list of messages, [{"role", "content"}]; `about` holds the columns beside it (row.hpp).
// OpenAI refuses keys that it does not know, so its formats have none of them; verl's have them in
// `extra_info`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/export/options.hpp"

namespace ridgeline::exporting {

/// One answer to a prompt that was judged.
struct GradedAnswer {
  std::string text, outcome;
  double reward = 0, speedup = 0;
};

/// A prompt with an answer to learn: trl_sft, trl_messages, openai_sft, sharegpt.
nlohmann::json answer_line(Format format, const nlohmann::json& prompt, const std::string& answer,
                           const nlohmann::json& about);
/// A prompt with a better and a worse answer: trl_dpo, openai_dpo, sharegpt_dpo.
nlohmann::json preference_line(Format format, const nlohmann::json& prompt, const std::string& chosen,
                               const std::string& rejected, const nlohmann::json& about);
/// A prompt with an answer that is wanted or not: trl_kto, sharegpt_kto.
nlohmann::json label_line(Format format, const nlohmann::json& prompt, const std::string& answer, bool label,
                          const nlohmann::json& about);
/// A prompt with all its answers: trl_grpo (without them), verl. `index` counts the lines from 0.
nlohmann::json prompt_line(Format format, const nlohmann::json& prompt,
                           const std::vector<GradedAnswer>& answers, int index, const nlohmann::json& about);

}  // namespace ridgeline::exporting
