// What a process that may be near a candidate inherits from the environment: an allow-list, so that no API
// key, token or proxy password passes, whatever it is called.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::protocol {

/// Who is started. A launcher (ssh, srun, docker) also gets what it needs to reach its agent or daemon.
enum class EnvironmentFor { worker, launcher, judge };

/// PATH, HOME, USER, LANG, LC_*, TZ, TMPDIR, XDG_CACHE_HOME, LD_LIBRARY_PATH, CUDA_*, RIDGELINE_METRICS; a
/// worker and a launcher also SLURM_*, RIDGELINE_CACHE_MIB, RIDGELINE_TORCH and RIDGELINE_PYTHON; a launcher
/// also SSH_AUTH_SOCK, DOCKER_HOST, KUBECONFIG and XDG_RUNTIME_DIR. Never a name that speaks of a key, token,
/// secret, password or JWT.
bool may_inherit(std::string_view name, EnvironmentFor who);

/// "NAME=value" of every variable of this process that passes.
std::vector<std::string> inherited_environment(EnvironmentFor who);

}  // namespace ridgeline::protocol
