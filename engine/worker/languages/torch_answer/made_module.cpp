#include "engine/worker/languages/torch_answer/made_module.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/worker/languages/torch_answer/answer_lines.hpp"

namespace ridgeline::torch_answer {
namespace {

constexpr std::size_t kToldLog = 4000;

/// The slim build's failure, where nobody may ask the real headers.
languages::BuildFailure not_slim(torch_extension::NotSlim narrow, const std::string& why_not_real) {
  return {Reason::compile_error,
          std::move(narrow.because),
          fmt::format("{}\n(compiled with stand-ins for torch's headers; torch's own were not tried: {})\n",
                      narrow.log, why_not_real),
          {}};
}

}  // namespace

MadeModule make_module(const AskedModule& asked, const HeaderChoice& headers, const std::string& answer) {
  MadeModule made{asked.key, asked.request.name, languages::BuildFailure{}};
  auto slim = headers.slim(asked.request);
  if (const auto* narrow = std::get_if<torch_extension::NotSlim>(&slim)) made.slim_error = narrow->because;
  if (auto* built = std::get_if<languages::BuildArtefact>(&slim)) {
    made.result = std::move(*built);
  } else if (auto* failure = std::get_if<languages::BuildFailure>(&slim)) {
    made.result = std::move(*failure);
  } else if (auto& narrow = std::get<torch_extension::NotSlim>(slim);
             headers.may_help && !headers.may_help(narrow)) {
    made.result =
        languages::BuildFailure{Reason::compile_error, std::move(narrow.because), std::move(narrow.log), {}};
  } else if (auto known = headers.real && headers.known ? headers.known(asked.request) : std::nullopt) {
    made.result = std::move(*known);
  } else if (headers.real) {
    made.real_headers = true;
    made.result = headers.real(asked.request);
  } else {
    made.result = not_slim(std::move(narrow), headers.why_not_real);
  }
  if (auto* failure = std::get_if<languages::BuildFailure>(&made.result)) {
    failure->detail = in_lines_of_answer(failure->detail, asked, answer);
    failure->log = in_lines_of_answer(failure->log, asked, answer);
  }
  return made;
}

std::optional<torch_slim::Build> build_of(const MadeModule& module) {
  const bool built = std::holds_alternative<languages::BuildArtefact>(module.result);
  if (module.real_headers) return built ? torch_slim::Build::torch : torch_slim::Build::neither;
  if (!module.slim_error.empty()) return torch_slim::Build::torch_not_used;
  return built ? std::optional(torch_slim::Build::slim) : std::nullopt;
}

std::string error_of(const MadeModule& module) {
  const auto* why = std::get_if<languages::BuildFailure>(&module.result);
  if (!why) return {};
  return fmt::format("Error building extension '{}': {}\n{}", module.name, why->detail,
                     why->log.substr(0, kToldLog));
}

}  // namespace ridgeline::torch_answer
