// Gives training data the form of a trainer. select_*.cpp decide which prompts, answers and pairs there are;
// these functions say under which keys they stand. For ShareGPT they also join neighbours of one role.
//
// A prompt is a list of messages, [{"role", "content"}]; `about` holds the columns beside it (row.hpp).
// OpenAI refuses keys that it does not know, so its formats have none of them; verl's have them in
// `extra_info`. Pure. `format` must be one that the function's comment names; others are not refused.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/export/options.hpp"

namespace ridgeline::exporting {

/// One answer to a prompt, with its grade.
struct GradedAnswer {
  std::string text;
  std::string outcome;  ///< "correct", the stage that failed, or "no_code"
  double reward = 0;
  double speedup = 0;  ///< 0 unless correct and timed
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
/// A prompt alone: trl_grpo. Or with all its answers: verl, where `index` is the line's number from 0, and
/// `about` must have `task`.
nlohmann::json prompt_line(Format format, const nlohmann::json& prompt,
                           const std::vector<GradedAnswer>& answers, int index, const nlohmann::json& about);

}  // namespace ridgeline::exporting
