#include "engine/suites/modules/posing.hpp"

#include <fmt/format.h>

#include <charconv>

#include "engine/core/error.hpp"

namespace ridgeline::suites::modules {
namespace {

constexpr std::int64_t kMostDivisor = 1 << 20;

std::string precision_word(DType dtype) {
  return dtype == DType::bfloat16 ? "bf16" : "fp16";
}

}  // namespace

std::string Posing::label_suffix() const {
  return (cast_to ? " " + precision_word(*cast_to) : "") + (divisor > 1 ? fmt::format(" 1/{}", divisor) : "");
}

std::string Posing::identifier_suffix() const {
  return (divisor > 1 ? fmt::format("_scale{}", divisor) : "") +
         (cast_to ? "_" + precision_word(*cast_to) : "");
}

std::optional<DType> parse_precision(const std::string& text, const std::string& option) {
  if (text == "fp32") return std::nullopt;
  if (text == "fp16") return DType::float16;
  if (text == "bf16") return DType::bfloat16;
  throw BadInput(fmt::format("{}: '{}' is none of fp32, fp16, bf16", option, text));
}

std::int64_t parse_scale_divisor(const std::string& text, const std::string& option) {
  if (text == "1") return 1;
  std::int64_t divisor = 0;
  const auto* end = text.data() + text.size();
  if (text.starts_with("1/"))
    if (const auto [rest, error] = std::from_chars(text.data() + 2, end, divisor);
        error == std::errc() && rest == end && divisor >= 1 && divisor <= kMostDivisor)
      return divisor;
  throw BadInput(fmt::format("{}: '{}' is no scale; write it as 1/4", option, text));
}

TaskNames posed(TaskNames names, const Posing& posing) {
  names.identifier += posing.identifier_suffix();
  names.category += posing.label_suffix();
  if (posing.cast_to) names.description += fmt::format(", in {}", to_string(*posing.cast_to));
  if (posing.divisor > 1)
    names.description += fmt::format(", with shapes at a scale of 1/{}", posing.divisor);
  return names;
}

}  // namespace ridgeline::suites::modules
