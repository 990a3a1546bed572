#include "engine/worker/languages/toolchain.hpp"

#include <unistd.h>

#include <cstdlib>

#include "engine/core/error.hpp"
#include "engine/worker/languages/program_search.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::languages {
namespace {

/// Runs the program. Returns its exit with what it wrote on both streams; empty if it does not succeed.
std::optional<sandbox::ConfinedExit> ask(const Toolchain& toolchain, sandbox::Isolation isolation,
                                         std::vector<std::string> arguments) try {
  auto policy = compiler_policy(toolchain, isolation, "");
  policy.limits.wall_seconds = 20;
  arguments.insert(arguments.begin(), toolchain.program);
  auto exit = sandbox::spawn(policy, arguments).wait();
  return exit.ok() ? std::optional{std::move(exit)} : std::nullopt;
} catch (const Error&) {
  return std::nullopt;  // not a program, or out of reach: the next name may do
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::optional<Toolchain> probe(const std::string& program, sandbox::Isolation isolation) {
  Toolchain toolchain;
  toolchain.program = program;
  toolchain.root = root_outside_usr(program);
  const auto version = ask(toolchain, isolation, {"--version"});
  if (!version) return std::nullopt;
  toolchain.version = first_line(version->out);
  if (toolchain.version.find("clang") != std::string::npos) toolchain.family = Toolchain::Family::clang;
  const int oldest = toolchain.family == Toolchain::Family::clang ? 17 : 12;  // older ones lack _Float16
  const auto major = ask(toolchain, isolation, {"-dumpversion"});
  if (!major || std::atoi(major->out.c_str()) < oldest) return std::nullopt;
  // The driver prints the compiler's command line, where "native" is spelled out; with -E it names no
  // temporary files, which would differ from call to call.
  const auto native = ask(toolchain, isolation, {"-###", "-march=native", "-E", "-x", "c++", "/dev/null"});
  if (!native) return std::nullopt;
  toolchain.fingerprint = sha256_of({toolchain.version, native->err});
  if (toolchain.family == Toolchain::Family::gcc) {
    // g++ gives the paths of linkers beside itself alone, and takes one from the PATH too.
    const auto linker = ask(toolchain, isolation, {"-print-prog-name=ld.gold"});
    toolchain.gold = linker && (linker->out.starts_with('/') || ::access("/usr/bin/ld.gold", X_OK) == 0);
  }
  return toolchain;
}

}  // namespace

std::optional<Toolchain> find_toolchain(sandbox::Isolation isolation, const std::vector<std::string>& names) {
  for (const auto& name : names)
    if (const auto program = find_program(name))
      if (auto toolchain = probe(*program, isolation)) return toolchain;
  return std::nullopt;
}

sandbox::Policy compiler_policy(const Toolchain& toolchain, sandbox::Isolation isolation,
                                const std::string& scratch) {
  sandbox::Policy policy;
  policy.isolated(isolation).with_profile(sandbox::SeccompProfile::compiler).system_programs();
  if (!toolchain.root.empty()) policy.execute(toolchain.root);
  policy.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("LC_ALL", "C");  // plain quotes in diagnostics
  if (!scratch.empty()) policy.write(scratch).in(scratch).env("TMPDIR", scratch);
  return policy;
}

}  // namespace ridgeline::languages
