#include "engine/submissions/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <variant>

#include "engine/core/error.hpp"
#include "engine/worker/sandbox/isolation.hpp"

namespace ridgeline::submissions {
namespace {

constexpr double kProbe = 120;  // seconds; the first context of a machine is slow
constexpr const char* kTry =
    "its tests make tensors on 'cuda' and want a CUDA GPU; score on a machine with one, or try the "
    "submissions with "
    "--device cpu, where 'cuda' is the CPU and no figure is KernelBench-X's";

/// The number in "cuda:1"; 0 for "cuda".
int gpu_number(const std::string& device) {
  if (device == "cuda") return 0;
  int number = -1;
  const std::string_view digits = std::string_view(device).substr(std::min<std::size_t>(device.size(), 5));
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
  if (!device.starts_with("cuda:") || error != std::errc() || end != digits.end() || number < 0)
    throw BadInput("--device " + device + ": give cuda, cuda:<number> or cpu");
  return number;
}

bool has_gpu_nodes() {
  std::error_code ignored;
  for (const auto& node : std::filesystem::directory_iterator("/dev", ignored)) {
    const auto name = node.path().filename().string();
    if (name.starts_with("nvidia") && name.size() > 6 && std::isdigit(static_cast<unsigned char>(name[6])))
      return true;
  }
  return false;
}

std::string version_in(const nlohmann::json& facts, const char* name) {
  const auto found = facts.find(name);
  return found != facts.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

LaneSettings lane_settings(const ScoringSettings& settings, const std::filesystem::path& root) {
  LaneSettings lanes;
  lanes.cuda = settings.device != "cpu";
  if (lanes.cuda) lanes.device = gpu_number(settings.device);
  lanes.clone = std::filesystem::absolute(root).lexically_normal();
  lanes.stop = settings.stop;
  if (lanes.cuda && !has_gpu_nodes())
    throw MachineCannot(std::string("this machine has no NVIDIA GPU; ") + kTry);
  const auto probe = sandbox::probe_isolation();
  sandbox::require_isolation(settings.least, probe);
  lanes.isolation = sandbox::best_level(probe);
  auto python = languages::find_python();
  if (const auto* none = std::get_if<languages::NoPython>(&python))
    throw MachineCannot(none->reason + "; fix: " + none->fix);
  lanes.python = std::get<languages::PythonToolchain>(std::move(python));
  return lanes;
}

void describe_machine(Lane& lane, Circumstances& where, const std::function<void(const std::string&)>& tell) {
  const auto facts = lane.facts();
  where.python = version_in(facts, "python");
  where.torch = version_in(facts, "torch");
  where.triton = version_in(facts, "triton");
  where.radon = version_in(facts, "radon");
  for (const char* needed : {"torch", "numpy"})
    if (version_in(facts, needed).empty())
      throw MachineCannot(
          fmt::format("{} cannot be imported where submissions run ({}); install it in the Python that "
                      "RIDGELINE_PYTHON names",
                      needed, version_in(facts, (std::string(needed) + "_error").c_str())));
  if (where.triton.empty())
    tell(fmt::format("no triton ({}): submissions and performance scripts that import it will fail",
                     version_in(facts, "triton_error")));
  if (where.radon.empty())
    tell(
        "no radon in this Python: maintainability and complexity are \"N/A\"; `pip install radon` gives "
        "them");
  if (where.on_cpu) {
    tell("tried on the CPU: no figure is KernelBench-X's");
    return;
  }
  const auto probe = lane.run({{"stage", "probe"}}, kProbe);
  const auto card = version_in(probe.reported, "card");
  if (!probe.ok() || card.empty())
    throw MachineCannot(fmt::format("torch {} finds no CUDA device{}{}; {}", where.torch,
                                    probe.stderr_head.empty() ? "" : ": ",
                                    probe.stderr_head.empty() ? probe.what : probe.stderr_head, kTry));
  where.card = card;
}

}  // namespace ridgeline::submissions
