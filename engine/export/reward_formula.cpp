#include "engine/export/reward_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/core/nearest.hpp"
#include "engine/core/reward.hpp"
#include "engine/core/statistics.hpp"

namespace ridgeline::exporting {
namespace {

using Values = std::map<std::string, double>;

Values values_of(const Verdict& verdict) {
  std::vector<double> shares;
  if (verdict.correct())
    for (const auto& roofline : verdict.rooflines) shares.push_back(roofline.efficiency);
  const bool timed = verdict.correct() && verdict.timing;
  return {{"built", verdict.compiled()},
          {"called", verdict.at(Stage::call).status == Status::passed},
          {"correct", verdict.correct()},
          {"cheated", verdict.cheated},
          {"flagged", !verdict.suspicions().empty()},
          {"speedup", verdict.speedup()},
          {"speedup_low", timed ? verdict.timing->speedup_low : 0},
          {"efficiency", geometric_mean(shares)}};
}

/// The formula with numbers for symbols: expressions are over whole numbers, and these are not.
std::string with_values(const std::string& text, const Values& values) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto is_word = [&](std::size_t at) {
      return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    std::size_t end = i + 1;
    if (is_word(i))
      while (is_word(end)) ++end;
    const auto word = text.substr(i, end - i);
    const auto value = values.find(word);
    result += value == values.end() ? word : fmt::format("{:.17f}", value->second);
    i = end;
  }
  return result;
}

}  // namespace

RewardFormula::RewardFormula(const std::string& text) : text_(text) {
  if (text_.empty()) return;
  std::vector<std::string> known;
  for (const auto& [name, value] : values_of(Verdict{})) known.push_back(name);
  for (const auto& symbol : Expression::parse(text_).symbols())
    if (std::find(known.begin(), known.end(), symbol) == known.end())
      throw BadInput("--reward: there is no '" + symbol + "'" + suggestion(symbol, known));
}

std::optional<double> RewardFormula::of(const Verdict& verdict) const {
  if (text_.empty()) return reward(verdict);
  if (!verdict.scorable()) return std::nullopt;
  const auto values = values_of(verdict);
  const double earned = Expression::parse(with_values(text_, values)).evaluate({});
  if (std::isfinite(earned)) return earned;
  throw BadInput(fmt::format("--reward: '{}' is no number where correct is {} and speedup {}", text_,
                             values.at("correct"), values.at("speedup")));
}

}  // namespace ridgeline::exporting
