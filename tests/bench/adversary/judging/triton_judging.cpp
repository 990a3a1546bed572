#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "engine/cuda/device.hpp"
#include "engine/worker/languages/python_toolchain.hpp"
#include "tests/bench/adversary/judging/judging.hpp"
#include "tests/bench/adversary/judging/outcome.hpp"
#include "tests/engine/cli/triton_kernels.hpp"

namespace ridgeline::bench {
namespace {

/// Throws LeftOut where there is no Python with triton.
std::string triton_backend() {
  const auto found = languages::find_python();
  if (const auto* none = std::get_if<languages::NoPython>(&found))
    throw LeftOut(none->reason + "; fix: " + none->fix);
  const auto& python = std::get<languages::PythonToolchain>(found);
  if (python.triton_version.empty()) throw LeftOut(languages::no_triton(python));
  if (python.torch_version.ends_with("+cpu")) return "cpu";
  try {
    cuda::device_facts(0);
    return "cuda";
  } catch (const MachineCannot&) {
    return "cpu";
  }
}

std::vector<cli::TritonKernel> chosen_kernels(const AdversaryOptions& options) {
  auto all = cli::honest_triton_kernels();
  for (auto& kernel : cli::misbehaving_triton_kernels()) all.push_back(std::move(kernel));
  std::map<std::string, int> taken;
  std::erase_if(all, [&](const auto& kernel) {
    return !options.chooses("triton", kernel.folder, kernel.name) ||
           (options.brief && ++taken[kernel.folder] > 2);
  });
  return all;
}

Outcome outcome_in(const cli::Batch& batch, const std::string& name) {
  Outcome outcome;
  try {
    outcome.verdict = batch.verdict(name).at("verdict").get<Verdict>();
    // Not the verdict's own, in which the candidates before it are waited for.
    for (const auto& stage : outcome.verdict->stages) outcome.seconds += stage.seconds;
  } catch (const std::exception& error) {
    outcome.lost = error.what();
  }
  return outcome;
}

}  // namespace

std::vector<Scored> score_triton(const AdversaryOptions& options) {
  const auto backend = triton_backend();
  const auto kernels = chosen_kernels(options);
  std::vector<Scored> all;
  for (int repetition = 0; repetition < options.repeat && !kernels.empty(); ++repetition) {
    const auto batch = cli::judged_on(kernels, backend);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const auto& kernel = kernels[i];
      const Allowed allowed{.honest = kernel.folder == "honest",
                            .may_pass = kernel.expected.contains("passed")};
      const auto outcome = outcome_in(batch, kernel.name);
      const Scored scored{"triton on " + backend,
                          kernel.folder,
                          kernel.name,
                          allowed.honest,
                          standing_of(allowed, outcome.verdict),
                          words_of(outcome, allowed),
                          outcome.seconds};
      tell(scored);
      if (repetition == 0)
        all.push_back(scored);
      else
        add_repetition(all[i], scored);
    }
  }
  return all;
}

}  // namespace ridgeline::bench
