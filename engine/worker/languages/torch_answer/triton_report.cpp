#include "engine/worker/languages/torch_answer/triton_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/core/json_numbers.hpp"

namespace ridgeline::torch_answer {
namespace {

using nlohmann::json;

constexpr std::size_t kToldWords = 800, kToldReport = 16000;

languages::BuildFailure complaint_of(const json& line, const std::string& answer) {
  const auto words = line.at("words").get<std::string>().substr(0, kToldWords);
  const auto log = line.at("log").get<std::string>().substr(0, kToldReport);
  const int at = read_json(line, "line", 0);
  const auto place = at > 0 ? fmt::format("{}:{}", answer, at) : answer;
  return {Reason::compile_error, fmt::format("{}: error: {}", place, words), log + "\n", {}};
}

}  // namespace

TritonReport read_triton_report(const std::string& text, const std::string& answer) {
  const auto line = json::parse(text, nullptr, /*allow_exceptions=*/false);
  try {
    const auto& end = line.at("end");
    if (end == "complaint") return {complaint_of(line, answer), ""};
    if (end == "raised")
      return {std::nullopt,
              fmt::format("{} (at {})", line.at("words").get<std::string>().substr(0, kToldWords),
                          line.at("stage").get<std::string>())};
    if (end == "done") return {};
  } catch (const json::exception&) {  // the candidate's own invention, or nothing at all
  } catch (const Error&) {            // a line's number that no text has
  }
  return {std::nullopt, "it ended while its kernels were compiled"};
}

}  // namespace ridgeline::torch_answer
