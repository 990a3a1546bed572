#include "engine/worker/languages/python_toolchain.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"
#include "engine/python/which_python.hpp"
#include "engine/worker/languages/program_search.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::languages {
namespace {

constexpr double kPatience = 60;  // seconds; a disk that was never read is slow
constexpr const char* kFix =
    "let RIDGELINE_PYTHON name a Python 3.10 or newer that has torch (`python3 -m venv DIR && DIR/bin/pip "
    "install "
    "torch`, then RIDGELINE_PYTHON=DIR/bin/python3)";

constexpr const char* kQuestion = R"(
import importlib.metadata, importlib.util, json, os, sys, sysconfig
def root(prefix):  # of a system's interpreter only its library
    return os.path.join(prefix, "lib") if prefix in ("/usr", "/usr/local") else prefix
torch, triton = map(importlib.util.find_spec, ("torch", "triton"))
folders = [root(sys.prefix), root(sys.base_prefix), *sys.path, *(torch.submodule_search_locations if torch else [])]
folders += [os.path.realpath(folder) for folder in folders]
libpython = os.path.join(sysconfig.get_config_var("LIBDIR") or "", sysconfig.get_config_var("LDLIBRARY") or "")
print(json.dumps({
    "program": sys.executable,
    "version": "%d.%d.%d" % sys.version_info[:3],
    "torch": importlib.metadata.version("torch") if torch else "",
    "triton": importlib.metadata.version("triton") if triton else "",
    "triton_package": list(triton.submodule_search_locations)[0] if triton else "",
    "package": list(torch.submodule_search_locations)[0] if torch else "",
    "include": sysconfig.get_path("include"),
    "folders": [one for one in folders + [libpython] if os.path.isabs(one) and os.path.exists(one)],
}))
)";

/// Once each, and none that lies below another.
std::vector<std::string> without_nested(std::vector<std::string> folders) {
  std::sort(folders.begin(), folders.end());
  std::vector<std::string> kept;
  for (const auto& folder : folders)
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const auto& above) { return folder == above || folder.starts_with(above + "/"); }))
      kept.push_back(folder);
  return kept;
}

}  // namespace

PythonSearch python_from_facts(const std::string& program, const std::string& facts) {
  const auto document = nlohmann::json::parse(facts, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object() || !document.contains("torch"))
    return NoPython{program + " did not say what it is; it said: " + facts.substr(0, 200), kFix};
  PythonToolchain toolchain;
  toolchain.program = document.value("program", program);  // a shim only leads to the interpreter
  document.at("version").get_to(toolchain.version);
  document.at("torch").get_to(toolchain.torch_version);
  toolchain.triton_version = document.value("triton", "");
  toolchain.triton_package = document.value("triton_package", "");
  toolchain.package = document.value("package", "");
  toolchain.include = document.value("include", "");
  toolchain.folders = without_nested(document.at("folders").get<std::vector<std::string>>());
  if (toolchain.torch_version.empty())
    return NoPython{program + " (" + toolchain.version + ") has no torch", kFix};
  toolchain.fingerprint = sha256_of({toolchain.version, toolchain.torch_version});
  return toolchain;
}

std::string no_triton(const PythonToolchain& python) {
  return python.program + " (" + python.version + ", torch " + python.torch_version +
         ") has no triton; fix: install the triton that this torch names (`pip show torch` says which)";
}

PythonSearch ask_python(const std::string& name) {
  const auto program = find_program(name);
  if (!program) return NoPython{name + " is no program that this user may run", kFix};
  // Which folders it needs is the question, so no sandbox can admit them yet. The program is the user's own,
  // in isolated mode it reads neither their settings nor the folder it is started in, and it runs nothing of
  // a candidate.
  sandbox::Limits limits;
  limits.wall_seconds = kPatience;
  sandbox::Policy policy;
  policy.isolated(sandbox::Isolation::none).limit(limits).env("HOME", "/").env("LC_ALL", "C.UTF-8");
  try {
    const auto exit = sandbox::spawn(policy, {*program, "-I", "-B", "-c", kQuestion}).wait();
    if (exit.ok()) return python_from_facts(*program, exit.out);
    return NoPython{*program + " " + sandbox::describe(exit) + ": " + exit.err.substr(0, 400), kFix};
  } catch (const Error& error) {
    return NoPython{*program + ": " + error.what(), kFix};
  }
}

PythonSearch find_python() {
  return ask_python(python::which_python());
}

}  // namespace ridgeline::languages
