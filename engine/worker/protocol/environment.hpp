// Filters the environment that a process near a candidate inherits. It is an allow-list, so no API key,
// token or proxy password passes, whatever its name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::protocol {

/// The kind of process that is started. A launcher (ssh, srun, docker) also gets what it needs to reach its
/// agent or daemon.
enum class EnvironmentFor { worker, launcher, judge };

/// Says whether a variable passes. All get PATH, HOME, USER, LANG, LC_*, TZ, TMPDIR, XDG_CACHE_HOME,
/// LD_LIBRARY_PATH, CUDA_*, RIDGELINE_METRICS; a worker and a launcher also SLURM_*, RIDGELINE_CACHE_MIB,
/// RIDGELINE_TORCH, RIDGELINE_PYTHON and RIDGELINE_CUDA_WHEELS; a launcher also SSH_AUTH_SOCK, DOCKER_HOST,
/// KUBECONFIG and XDG_RUNTIME_DIR. A name that contains key, token, secret, password or JWT never passes.
bool may_inherit(std::string_view name, EnvironmentFor who);

/// Returns "NAME=value" for every variable of this process that passes.
std::vector<std::string> inherited_environment(EnvironmentFor who);

}  // namespace ridgeline::protocol
