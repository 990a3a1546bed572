#include "engine/worker/sandbox/isolation.hpp"

#include "engine/core/error.hpp"

namespace ridgeline::sandbox {
namespace {

std::string lines(const std::vector<Shortfall>& shortfalls) {
  std::string text;
  for (const auto& s : shortfalls) text += "  " + s.what + ": " + s.reason + "; fix: " + s.fix + "\n";
  return text;
}

std::vector<Shortfall> missing_for(Isolation level, const IsolationProbe& probe) {
  std::vector<Shortfall> missing;
  if (level >= Isolation::standard) missing = probe.standard;
  if (level >= Isolation::strict) missing.insert(missing.end(), probe.strict.begin(), probe.strict.end());
  return missing;
}

}  // namespace

Isolation best_level(const IsolationProbe& probe) {
  if (!probe.standard.empty()) return Isolation::none;
  return probe.strict.empty() ? Isolation::strict : Isolation::standard;
}

std::string isolation_details(Isolation level, const IsolationProbe& probe) {
  const auto landlock = "Landlock " + std::to_string(probe.landlock_abi);
  switch (level) {
    case Isolation::strict:
      return "user, pid, net, ipc, mount, uts namespaces; " + landlock + "; seccomp";
    case Isolation::standard:
      return landlock + "; seccomp; process group";
    case Isolation::none:
      return "limits and a process group only";
  }
  return {};
}

void require_isolation(Isolation asked, const IsolationProbe& probe) {
  const auto missing = missing_for(asked, probe);
  if (missing.empty()) return;
  const std::string best{to_string(best_level(probe))};
  throw MachineCannot("isolation `" + std::string{to_string(asked)} + "` is not possible on this machine:\n" +
                      lines(missing) + "Repair the above, or allow less with `isolation: " + best +
                      "` in the campaign file (or --set isolation=" + best + ").");
}

std::string describe(const IsolationProbe& probe) {
  return lines(missing_for(Isolation::strict, probe));
}

}  // namespace ridgeline::sandbox
