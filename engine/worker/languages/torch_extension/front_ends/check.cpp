#include "engine/worker/languages/torch_extension/front_ends/check.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/worker/languages/torch_extension/compose.hpp"
#include "engine/worker/languages/torch_extension/front_ends/fit.hpp"
#include "engine/worker/languages/torch_extension/front_ends/texts.hpp"

namespace ridgeline::front_ends {
namespace {

using Outcome = Checked::Outcome;

Checked refused(std::string log) {
  return {Outcome::refused, std::move(log)};
}

Checked undecided(std::string_view part, std::string_view why) {
  return {Outcome::undecided, {}, fmt::format("{}: {}", part, why)};
}

/// A front end that fails without an error has another reason than the source.
Checked read(std::string_view part, Said said) {
  if (said.end == Said::End::passed) return {Outcome::passed};
  if (said.end == Said::End::failed && tells_error(said.messages)) return refused(std::move(said.messages));
  return undecided(part, said.end == Said::End::failed ? "it failed and told no error" : said.why);
}

Checked check_main(const std::string& text, const std::string& module, Fit fit, Compilers& compilers) {
  if (fit != Fit::fits) return undecided("main.cpp", to_string(fit));
  return read("main.cpp", compilers.parse_main(with_end(text), module));
}

Checked check_cuda(const std::string& text, const std::string& module, Fit fit, Compilers& compilers) {
  if (fit == Fit::no_source) return {Outcome::passed};
  if (fit != Fit::fits) return undecided("cuda.cu", to_string(fit));
  const auto source = text_for_expansion(text, module);
  if (!source) return undecided("cuda.cu", "it does not begin as load_inline writes it");
  auto expanded = compilers.expand(*source);
  expanded.messages = without_holder(expanded.messages);
  const auto rest = expanded.end == Said::End::passed ? text_for_parsing(expanded.output) : std::nullopt;
  if (rest) return read("cuda.cu", compilers.parse(*rest));
  if (expanded.end == Said::End::passed) return undecided("cuda.cu", "its expansion names other places");
  return read("cuda.cu", std::move(expanded));
}

}  // namespace

Checked check(const torch_extension::ExtensionRequest& request, const torch_extension::ExtensionFlags& flags,
              Compilers& compilers) {
  const auto units = torch_extension::compose_as_torch(request);
  auto main = check_main(units.front().text, request.name, fit_of_main(request, flags), compilers);
  if (main.outcome == Outcome::refused) return main;
  auto cuda = check_cuda(units.back().text, request.name, fit_of_cuda(request, flags), compilers);
  if (cuda.outcome != Outcome::passed) return cuda;
  return main;
}

}  // namespace ridgeline::front_ends
