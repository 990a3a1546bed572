#include "llm_clients/usage_reader.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "llm_clients/json_access.hpp"
#include "llm_clients/utf8.hpp"

namespace ridgeline::llm {
namespace {

constexpr double kMostTokens = 1e12;  // sums of such counts stay far below the range of int64

}  // namespace

std::optional<std::int64_t> token_count(const nlohmann::json& usage, std::string_view key, Answer& answer) {
  const auto& value = member(usage, key);
  if (value.is_null()) return std::nullopt;
  if (value.is_number()) {  // 10.0 counts too: servers in Lua, for example, write every number so
    const auto number = value.get<double>();
    if (number >= 0 && number <= kMostTokens && std::floor(number) == number)
      return static_cast<std::int64_t>(number);
  }
  // The first problem is enough to report.
  if (answer.usage_problem.empty())
    answer.usage_problem = "the reported usage has " + std::string(key) + ": " +
                           excerpt(dump_json(value), 40) +
                           ", which is no count of tokens; it counts "
                           "as not reported";
  return std::nullopt;
}

void discard_impossible_usage(Answer& answer) {
  if (answer.usage_problem.empty()) return;
  answer.usage = {};
  // So that the bound of the cost stands, and a bad count cannot make a call cheap.
  answer.usage_is_final = false;
}

}  // namespace ridgeline::llm
