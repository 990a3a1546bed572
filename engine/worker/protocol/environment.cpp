#include "engine/worker/protocol/environment.hpp"

#include <unistd.h>

#include <algorithm>

namespace ridgeline::protocol {
namespace {

using Words = std::initializer_list<std::string_view>;

bool is_any_of(std::string_view name, Words words) {
  return std::find(words.begin(), words.end(), name) != words.end();
}

bool names_a_secret(std::string_view name) {
  const Words words = {"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "JWT"};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

}  // namespace

bool may_inherit(std::string_view name, EnvironmentFor who) {
  // Checked first, because SLURM_JWT and CUDA_API_KEY would otherwise pass by their prefix.
  if (names_a_secret(name)) return false;
  // TMPDIR and XDG_CACHE_HOME decide where builds go. LD_LIBRARY_PATH may be needed to find torch's CUDA
  // libraries.
  if (is_any_of(name, {"PATH", "HOME", "USER", "LANG", "TZ", "TMPDIR", "XDG_CACHE_HOME", "LD_LIBRARY_PATH",
                       "RIDGELINE_METRICS"}))
    return true;
  if (name.starts_with("LC_") || name.starts_with("CUDA_")) return true;
  if (who != EnvironmentFor::judge &&
      // srun inside the worker's job needs them. A judge calls no srun, so it does not get them.
      (name.starts_with("SLURM_") || is_any_of(name, {"RIDGELINE_CACHE_MIB", "RIDGELINE_TORCH",
                                                      "RIDGELINE_PYTHON", "RIDGELINE_CUDA_WHEELS"})))
    return true;
  // The agents and daemons that ssh, docker and kubectl talk to. A worker could use them to leave its
  // machine.
  return who == EnvironmentFor::launcher &&
         is_any_of(name, {"SSH_AUTH_SOCK", "DOCKER_HOST", "KUBECONFIG", "XDG_RUNTIME_DIR"});
}

std::vector<std::string> inherited_environment(EnvironmentFor who) {
  std::vector<std::string> kept;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto equals = text.find('=');
    // An entry without '=' is malformed and is dropped.
    if (equals != std::string_view::npos && may_inherit(text.substr(0, equals), who)) kept.emplace_back(text);
  }
  return kept;
}

}  // namespace ridgeline::protocol
