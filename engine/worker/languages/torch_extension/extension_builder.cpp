#include "engine/worker/languages/torch_extension/extension_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/torch_slim/headers.hpp"
#include "engine/worker/languages/cuda/cuda_compiler.hpp"
#include "engine/worker/languages/cuda/relocatable.hpp"
#include "engine/worker/languages/flags/cuda_architecture.hpp"
#include "engine/worker/languages/ptxas_log.hpp"
#include "engine/worker/languages/torch_extension/link_log.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::torch_extension {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, "\n"));
}

std::string text_of(const ExtensionRequest& request) {
  return joined(request.cpp_sources) + "\n" + joined(request.cuda_sources);
}

std::vector<std::string> flags_of(const ExtensionBuild& build) {
  auto flags = build.flags.cuda;
  flags.insert(flags.end(), build.flags.host.begin(), build.flags.host.end());
  flags.insert(flags.end(), build.flags.libraries.begin(), build.flags.libraries.end());
  return flags;
}

/// Everything that goes into a module: the texts, and the words of every command in place of the rules that
/// made them.
Hash key_of(const languages::CudaToolchain& toolchain, const std::vector<ExtensionUnit>& units,
            const ExtensionBuild& build, std::string_view headers) {
  std::string all;
  for (const auto& unit : units)
    all += sha256_of({unit.file, unit.text, unit.prelude, joined(compile_command(toolchain, build, unit))});
  return sha256_of({"torch extension", all, joined(link_command(toolchain, build, units)),
                    toolchain.fingerprint, toolchain.host.fingerprint, headers});
}

/// Returns whether an error may come of joining two units: both define a name, which two units may do.
bool may_clash_when_joined(const std::string& log) {
  for (const char* word :
       {"redefin", "redeclar", "already", "ambiguous", "more than one", "conflict", "overload"})
    if (log.find(word) != std::string::npos) return true;
  return false;
}

/// Names a file beside others, a macro and a function.
constexpr std::size_t kLongestModuleName = 200;

bool is_module_name(std::string_view name) {
  const auto letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !name.empty() && name.size() <= kLongestModuleName && letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

bool wants_cuda(const ExtensionRequest& request) {
  return !request.cuda_sources.empty() || request.with_cuda;
}

languages::CudaToolchain without_nvcc(languages::Toolchain host) {
  languages::CudaToolchain toolchain;
  toolchain.fingerprint = host.fingerprint;
  toolchain.host = std::move(host);
  return toolchain;
}

/// No other headers would repair what the assembler, the device's linker or nvcc itself says.
bool refused_by_tools(const std::string& log) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"ptxas error", "ptxas fatal", "nvlink error", "nvlink fatal",
                                              "nvcc fatal", "requires separate compilation mode"},
      [&](std::string_view words) { return log.find(words) != std::string::npos; });
}

languages::BuildFailure undefined_names(const std::vector<std::string>& names, const std::string& log,
                                        std::vector<std::string> flags) {
  return {Reason::compile_error,
          fmt::format("undefined reference to `{}'; define what is declared, with the same parameters",
                      fmt::join(names, "', `")),
          log, std::move(flags)};
}

languages::BuildArtefact with_note(languages::BuildArtefact artefact, const ExtensionFlags& flags) {
  artefact.note = note_of(flags);
  return artefact;
}

}  // namespace

sandbox::Limits default_extension_limits() {
  auto limits = languages::default_cuda_build_limits();
  limits.cpu_seconds = 120;
  limits.wall_seconds = 300;
  return limits;
}

ExtensionBuilder::ExtensionBuilder(languages::CudaToolchain toolchain, languages::BuildSettings settings,
                                   std::string architecture)
    : toolchain_(std::move(toolchain)),
      architecture_(std::move(architecture)),
      workshop_(std::move(settings)) {}

ExtensionBuilder::ExtensionBuilder(languages::Toolchain host, languages::BuildSettings settings)
    : ExtensionBuilder(without_nvcc(std::move(host)), std::move(settings)) {}

ExtensionBuilder::Admitted ExtensionBuilder::admit(const ExtensionRequest& request) const {
  if (!is_module_name(request.name))
    return languages::BuildFailure{
        Reason::compile_error,
        fmt::format("the module's name `{}` is no C identifier of at most {} letters",
                    request.name.substr(0, kLongestModuleName), kLongestModuleName),
        {},
        {}};
  auto flags = read_extension_flags(request);
  if (const auto* forbidden = std::get_if<ForbiddenFlag>(&flags))
    return languages::BuildFailure{Reason::forbidden_flag, forbidden->words(), {}, {forbidden->flag}};
  if (request.cpp_sources.empty() && request.cuda_sources.empty())
    return languages::BuildFailure{Reason::compile_error, "the request holds no source", {}, {}};
  const bool here = !toolchain_.program.empty();
  if (wants_cuda(request) && !here)
    return languages::BuildFailure{Reason::compiler_missing, languages::no_nvcc, {}, {}};
  ExtensionBuild build;
  build.module = request.name;
  build.architecture = architecture_;
  build.cuda = here && (wants_cuda(request) || text_of(request).find("cuda") != std::string::npos);
  build.flags = std::get<ExtensionFlags>(std::move(flags));
  if (request.cuda_sources.empty()) build.flags.cuda.clear();  // no nvcc runs
  auto fitted = languages::fit_architectures(build.flags.cuda, architecture_);
  if (const auto* why = std::get_if<languages::FitsNoDevice>(&fitted))
    return languages::BuildFailure{Reason::compile_error, *why, {}, build.flags.cuda};
  build.flags.cuda = std::get<languages::FittedFlags>(std::move(fitted));
  for (auto& flag : libraries_named_in(text_of(request)))
    if (std::ranges::find(build.flags.libraries, flag) == build.flags.libraries.end())
      build.flags.libraries.push_back(std::move(flag));
  return build;
}

ExtensionBuilder::Made ExtensionBuilder::run(const languages::BuildScratch& scratch,
                                             const std::vector<ExtensionUnit>& units,
                                             const ExtensionBuild& build, bool in_one) const {
  auto policy = languages::nvcc_policy(toolchain_, workshop_.settings().isolation, scratch.path().string());
  policy.limits = workshop_.settings().limits;
  for (const auto& folder : build.includes) policy.read(folder.string());
  for (const auto& word : build.libraries)
    if (!word.starts_with("-l")) policy.read(word.substr(word.starts_with("-L") ? 2 : 0));

  Made made;
  std::vector<sandbox::Child> children;  // all compilers at once, then the linker
  for (const auto& unit : units) {
    scratch.write(unit.file, unit.text);
    if (!unit.prelude.empty()) scratch.write(prelude_file(unit), unit.prelude);
    children.push_back(sandbox::spawn(
        policy, in_one ? joined_command(toolchain_, build, unit) : compile_command(toolchain_, build, unit)));
  }
  double cpu_seconds = 0;
  std::string log;
  const auto take = [&](sandbox::ConfinedExit exit) {
    cpu_seconds += exit.cpu_seconds;
    auto ptxas = languages::parse_ptxas(exit.err);
    made.resources.insert(made.resources.end(), ptxas.kernels.begin(), ptxas.kernels.end());
    auto linked = read_link_log(ptxas.rest);
    made.unresolved.insert(made.unresolved.end(), linked.unresolved.begin(), linked.unresolved.end());
    log += linked.rest;
    if (made.exit.ok()) made.exit = std::move(exit);  // the first that failed tells why
  };
  for (auto& child : children) {
    take(child.wait());
    if (!made.exit.ok()) break;  // the others are ended with their handles
  }
  if (build.flags.relocatable() && made.exit.ok())
    take(sandbox::spawn(policy, device_link_command(toolchain_, build, units)).wait());
  if (!in_one && made.exit.ok()) take(sandbox::spawn(policy, link_command(toolchain_, build, units)).wait());
  made.exit.cpu_seconds = cpu_seconds;
  made.exit.err = workshop_.without_paths(std::move(log), scratch, build.includes);
  return made;
}

languages::BuildArtefact ExtensionBuilder::keep(const languages::BuildScratch& scratch, const Hash& key,
                                                Made made, const std::vector<std::string>& flags) const {
  languages::BuildArtefact artefact;
  artefact.cpu_seconds = made.exit.cpu_seconds;
  artefact.log = std::move(made.exit.err);
  artefact.flags = flags;
  artefact.resources = std::move(made.resources);
  return workshop_.keep(scratch, key, std::move(artefact));
}

languages::BuildFailure ExtensionBuilder::failure_of(const sandbox::ConfinedExit& exit,
                                                     std::vector<std::string> flags) const {
  auto failure = languages::classify_compile(exit, workshop_.settings().limits);
  failure.flags = std::move(flags);
  if (failure.reason != Reason::compile_error) return failure;
  if (languages::may_lack_device_link(failure.log) && device_link_->lacking(workshop_, toolchain_))
    return {Reason::compiler_missing, languages::no_device_link, failure.log, std::move(failure.flags)};
  failure.detail = languages::with_architecture_hint(std::move(failure.detail));
  if (languages::asks_for_device_runtime(failure.log))
    failure.detail += "; name -rdc=true in extra_cuda_cflags, and it is linked for the device too";
  return failure;
}

SlimBuild ExtensionBuilder::build_slim(const ExtensionRequest& request) const {
  auto admitted = admit(request);
  if (auto* failure = std::get_if<languages::BuildFailure>(&admitted)) return std::move(*failure);
  auto& build = std::get<ExtensionBuild>(admitted);
  const auto kit = slim_kit(workshop_, toolchain_.host);
  build.includes = {kit.includes};
  build.libraries = {kit.runtime.string()};
  build.slim = true;
  const auto flags = flags_of(build);
  const auto apart = compose_slim(request);
  const Hash key = key_of(toolchain_, apart, build, torch_slim::headers_hash());
  if (auto built = workshop_.built_before(key, flags)) return with_note(std::move(*built), build.flags);

  Made made;
  double spent = 0;
  for (const auto& units : {compose_joined(request), apart}) {
    if (units.empty()) continue;
    const auto scratch = workshop_.scratch();
    const bool in_one = units.size() == 1 && apart.size() > 1 && !build.flags.relocatable();
    made = run(scratch, units, build, in_one);
    made.exit.cpu_seconds += spent;
    spent = made.exit.cpu_seconds;
    if (made.exit.ok() && made.unresolved.empty())
      return with_note(keep(scratch, key, std::move(made), flags), build.flags);
    if (!may_clash_when_joined(made.exit.err)) break;
  }
  if (made.exit.ok()) {
    if (std::ranges::any_of(made.unresolved, may_be_torchs))
      return NotSlim{"undefined reference to `" + made.unresolved.front() + "'", made.exit.err};
    return undefined_names(made.unresolved, made.exit.err, flags);
  }
  auto failure = failure_of(made.exit, flags);
  if (failure.reason != Reason::compile_error || refused_by_tools(failure.log)) return failure;
  return NotSlim{std::move(failure.detail), std::move(failure.log)};
}

languages::BuildFailure ExtensionBuilder::failure_with_torch(const ExtensionRequest& request,
                                                             std::string log) const {
  auto admitted = admit(request);
  if (auto* failure = std::get_if<languages::BuildFailure>(&admitted)) return std::move(*failure);
  sandbox::ConfinedExit exit;
  exit.code = 1;
  exit.err = std::move(log);
  return failure_of(exit, flags_of(std::get<ExtensionBuild>(admitted)));
}

languages::BuildResult ExtensionBuilder::build_with_torch(const ExtensionRequest& request,
                                                          const TorchHeaders& torch) const {
  auto admitted = admit(request);
  if (auto* failure = std::get_if<languages::BuildFailure>(&admitted)) return std::move(*failure);
  auto& build = std::get<ExtensionBuild>(admitted);
  build.includes = torch.includes();
  build.libraries = {"-L" + torch.libraries().string(), "-lc10", "-ltorch_cpu", "-ltorch", "-ltorch_python"};
  if (build.cuda) build.libraries.insert(build.libraries.end(), {"-lc10_cuda", "-ltorch_cuda"});
  const auto flags = flags_of(build);
  const auto units = compose_as_torch(request);
  const Hash key = key_of(toolchain_, units, build, torch.version);
  if (auto built = workshop_.built_before(key, flags)) return with_note(std::move(*built), build.flags);

  const auto scratch = workshop_.scratch();
  auto made = run(scratch, units, build, false);
  if (!made.exit.ok()) return failure_of(made.exit, flags);
  if (!made.unresolved.empty()) return undefined_names(made.unresolved, made.exit.err, flags);
  return with_note(keep(scratch, key, std::move(made), flags), build.flags);
}

}  // namespace ridgeline::torch_extension
