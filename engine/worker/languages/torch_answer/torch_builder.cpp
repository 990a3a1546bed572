#include "engine/worker/languages/torch_answer/torch_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <regex>
#include <string_view>
#include <utility>

#include "engine/torch_slim/headers.hpp"
#include "engine/worker/languages/torch_answer/answer_words.hpp"
#include "engine/worker/languages/torch_answer/made_module.hpp"
#include "engine/worker/languages/torch_extension/torch_names.hpp"
#include "engine/worker/protocol/torch_artefact.hpp"

namespace ridgeline::torch_answer {
namespace {

constexpr std::string_view kAnswer = "answer.py";
constexpr int kSyntaxError = 10, kNoEntry = 11;  // statuses that the interpreter itself has no use for

/// Parses and looks for a name at the module's own level, however it is bound there: for the first of the
/// names in argv[1], separated by commas, that is there. A function that is called with argv[2] arguments
/// must be able to take them; -1 asks nothing of that.
constexpr std::string_view kCheck = R"(
import ast, sys
names, count = sys.argv[1].split(","), int(sys.argv[2])
def bound(body):
    for node in body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield node.name
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (name.asname or name.name for name in node.names)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield from (name.id for name in ast.walk(target) if isinstance(name, ast.Name))
        for part in ("body", "orelse", "finalbody", "handlers"):
            if not isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from bound(getattr(node, part, []))
try:
    with open("answer.py", "rb") as file:
        tree = ast.parse(file.read(), "answer.py")
except (SyntaxError, ValueError) as error:
    line = getattr(error, "lineno", None) or 1
    print(f"answer.py:{line}: error: {type(error).__name__}: {getattr(error, 'msg', error)}", file=sys.stderr)
    text = getattr(error, "text", None)
    if text:
        print(f"  {line} | {text.rstrip()}", file=sys.stderr)
    sys.exit(10)
there = set(bound(tree.body))
wanted = next((name for name in names if name in there), None)
if wanted is None:
    sys.exit(11)
# The statement that binds the name last says what will be called. Another than a plain function is not judged here.
last = [node for node in tree.body if wanted in bound([node])][-1]
if count >= 0 and isinstance(last, ast.FunctionDef) and not last.decorator_list:
    line, given = last.lineno, last.args
    names = [one.arg for one in given.posonlyargs + given.args]
    least = len(names) - len(given.defaults)
    if least > count or (len(names) < count and not given.vararg) or None in given.kw_defaults:
        names += [one.arg + ", by keyword" for one in given.kwonlyargs]
        print(f"answer.py:{line}: error: {wanted} takes {len(names)} arguments ({', '.join(names)}); "
              f"it is called with {count}, by position", file=sys.stderr)
        sys.exit(10)
)";

languages::BuildFailure failure_of(const sandbox::ConfinedExit& exit, const sandbox::Limits& limits,
                                   const protocol::TorchJob& job) {
  if (exit.ending == sandbox::Ending::exited && exit.code == kNoEntry)
    return {
        Reason::missing_entry_point,
        !job.function.empty()
            ? fmt::format(
                  "the answer defines no {}; it is a function of that name with the reference's arguments",
                  job.function)
        : job.form == Form::module
            ? "the answer defines no ModelNew; it is a class ModelNew(torch.nn.Module) with the reference's "
              "arguments"
            : fmt::format("the answer defines no {}; it is a function of that name with the arguments of the "
                          "task's stub",
                          job.entry),
        {},
        {}};
  if (exit.ending == sandbox::Ending::exited && exit.code == kSyntaxError)
    return {Reason::compile_error, exit.err.substr(0, exit.err.find('\n')), exit.err, {}};
  return languages::classify_compile(exit, limits);
}

languages::BuildFailure no_module(const Task& task) {
  return {Reason::unsupported,
          fmt::format("the task {} is answered by a kernel: its reference is no torch module", task.name),
          {},
          {}};
}

/// Nothing where a candidate in that language cannot answer the task.
std::optional<protocol::TorchJob> job_of(const Task& task, const Candidate& candidate) {
  const auto form = answer_form(task, candidate.language);
  if (!form) return std::nullopt;
  return *form == Form::module ? protocol::torch_job(task, "ModelNew", candidate.source, std::string(kAnswer))
                               : protocol::kernel_job(task, candidate.source, std::string(kAnswer));
}

/// The names that will do. A task of functions may be answered by the class itself, and by the name that
/// KernelBench-X takes for each of its tasks (ridgeline_runner/adapted.py).
std::string names_of_entry(const protocol::TorchJob& job) {
  return job.function.empty() ? job.entry : job.entry + "," + job.function + ",kernel_function";
}

/// By position: tensors, sizes and scalars; -1 for a class, whose constructor is not looked at.
std::string arguments_of(const protocol::TorchJob& job) {
  if (job.form == Form::module) return "-1";
  return std::to_string(job.tensors.size() + job.sizes.size() + job.scalars.size());
}

Hash hash_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return sha256(std::string{std::istreambuf_iterator<char>(file), {}});
}

/// Everything that the modules of an answer are made with; `recorder` is the hash of what recorded them.
std::string made_with(const std::optional<ModuleTools>& tools, const Hash& recorder, bool torch_headers) {
  if (!tools) return "";
  const auto* torch = std::get_if<torch_extension::TorchHeaders>(&tools->torch);
  const auto& builder = tools->builder;
  return sha256_of({builder.toolchain().fingerprint, builder.toolchain().host.fingerprint,
                    builder.architecture(), torch_slim::headers_hash(), recorder,
                    torch_headers && torch ? torch->version : ""});
}

/// The failure of a build with torch's headers, where their front ends find one.
std::optional<languages::BuildFailure> failure_known(const ModuleTools& tools,
                                                     const torch_extension::ExtensionRequest& request) {
  const auto flags = torch_extension::read_extension_flags(request);
  const auto* allowed = std::get_if<torch_extension::ExtensionFlags>(&flags);
  if (!allowed) return std::nullopt;
  auto checked = tools.front_ends->check(request, *allowed);
  if (checked.outcome != front_ends::Checked::Outcome::refused) return std::nullopt;
  return tools.builder.failure_with_torch(request, std::move(checked.log));
}

std::string job_to_record(const protocol::TorchJob& job, std::string_view device,
                          const FailedModules& failed) {
  auto document = nlohmann::json::parse(protocol::to_json(job));
  document["device"] = device;
  document["failed"] = failed;
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// "sm_90a" to 90.
int number_of(const std::string& architecture) {
  return std::stoi(architecture.substr(architecture.find_first_of("0123456789")));
}

/// Adds to the job, and to the artefact, what was made of its modules.
void add(const AnswerModules& modules, protocol::TorchJob& job, languages::BuildArtefact& artefact,
         std::vector<std::filesystem::path>& libraries) {
  for (const auto& module : modules.made) {
    job.modules.push_back({module.key, module.name, 0, error_of(module)});
    const auto* built = std::get_if<languages::BuildArtefact>(&module.result);
    if (const auto* failure = std::get_if<languages::BuildFailure>(&module.result))
      artefact.log += failure->log;
    if (!built) continue;
    libraries.push_back(built->library);
    artefact.cpu_seconds += built->cpu_seconds;
    artefact.log += built->log;
    artefact.resources.insert(artefact.resources.end(), built->resources.begin(), built->resources.end());
    for (const auto& flag : built->flags)
      if (std::ranges::find(artefact.flags, flag) == artefact.flags.end()) artefact.flags.push_back(flag);
  }
  artefact.note = note_of(modules);
}

}  // namespace

struct TorchBuilder::Names {
  std::once_flag read;
  torch_extension::TorchNames names;
};

TorchBuilder::TorchBuilder(TorchBuilder&&) noexcept = default;
TorchBuilder::~TorchBuilder() = default;

TorchBuilder::TorchBuilder(languages::PythonToolchain python, languages::BuildSettings settings,
                           std::optional<ModuleTools> tools)
    : python_(std::move(python)), workshop_(std::move(settings)), tools_(std::move(tools)) {
  names_ = std::make_unique<Names>();
  if (!tools_) return;
  recorder_hash_ = hash_of_file(tools_->library);
  recorder_ = std::make_unique<Recorder>(RecorderSettings{
      .python = python_, .library = tools_->library, .isolation = workshop_.settings().isolation});
  triton_ = std::make_unique<TritonCompiler>(TritonTools{.python = python_,
                                                         .host = tools_->builder.toolchain().host,
                                                         .library = tools_->library,
                                                         .isolation = workshop_.settings().isolation,
                                                         .architecture = number_of(tools_->architecture),
                                                         .scratch = workshop_.settings().cache});
}

std::variant<AnswerModules, languages::BuildFailure> TorchBuilder::modules_of(const protocol::TorchJob& job,
                                                                              std::string_view device,
                                                                              bool torch_headers) const {
  const auto& builder = tools_->builder;
  HeaderChoice headers;
  headers.slim = [&](const torch_extension::ExtensionRequest& request) {
    return builder.build_slim(request);
  };
  if (!torch_headers)
    headers.why_not_real = "the settings forbid it";
  else if (const auto* lacking = std::get_if<std::string>(&tools_->torch))
    headers.why_not_real = *lacking;
  else
    headers.real = [&](const torch_extension::ExtensionRequest& request) {
      return builder.build_with_torch(request, std::get<torch_extension::TorchHeaders>(tools_->torch));
    };
  if (headers.real)
    headers.may_help = [&](const torch_extension::NotSlim& narrow) {
      std::call_once(names_->read, [&] {
        names_->names =
            torch_extension::read_torch_names(std::get<torch_extension::TorchHeaders>(tools_->torch));
      });
      return torch_extension::torch_may_help(narrow.because, names_->names);
    };
  if (headers.real && tools_->front_ends)
    headers.known = [&](const torch_extension::ExtensionRequest& request) {
      return failure_known(*tools_, request);
    };
  return make_modules(
      [&](const FailedModules& failed) { return recorder_->record(job_to_record(job, device, failed)); },
      [&](const AskedModule& asked) {
        auto made = make_module(asked, headers, std::string(kAnswer));
        if (const auto build = build_of(made); build && tools_->count) tools_->count(*build, made.slim_error);
        return made;
      });
}

std::variant<TritonKernels, languages::BuildFailure> TorchBuilder::kernels_of(
    const Task& task, const protocol::TorchJob& job) const {
  if (!tools_)
    return languages::BuildFailure{
        Reason::compiler_missing, "nothing here compiles triton's kernels", {}, {}};
  if (!std::filesystem::exists(std::filesystem::path(python_.include) / "Python.h"))
    return languages::BuildFailure{
        Reason::compiler_missing,
        python_.program +
            " has no Python.h, with which triton builds what launches kernels; fix: "
            "install its development package (python3-dev)",
        {},
        {}};
  auto document = nlohmann::json::parse(protocol::to_json(job));
  document["device"] = "cuda";
  document["architecture"] = number_of(tools_->architecture);
  // A kernel is compiled for each case: triton makes another of a size that is 1 or a multiple of 16.
  if (job.form == Form::kernel)
    for (const auto& task_case : task.cases)
      document["cases"].push_back(nlohmann::json::parse(protocol::arranged_values(task, task_case)));
  return triton_->compile(document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                          std::string(kAnswer));
}

void TorchBuilder::warm_up() const {
  if (recorder_) recorder_->warm_up();
}

void TorchBuilder::wind_down() const {
  if (triton_) triton_->drop();
  if (tools_ && tools_->front_ends) tools_->front_ends->wind_down();
}

languages::BuildResult TorchBuilder::reference(const Task& task, CompileMode mode) const {
  if (!task.module) return no_module(task);
  auto job = protocol::torch_job(task, "Model", task.reference, "reference.py");
  job.compile = mode;
  const auto key = sha256_of({"reference", protocol::to_json(job), python_.fingerprint});
  if (auto known = workshop_.built_before(key, {})) return std::move(*known);
  const auto scratch = workshop_.scratch();
  protocol::write_torch_artefact(scratch.file(languages::kLibraryFile), job, {});
  return workshop_.keep(scratch, key, {});
}

languages::BuildResult TorchBuilder::build(const Task& task, const Candidate& candidate,
                                           bool torch_headers) const {
  auto composed = job_of(task, candidate);
  if (!composed) return no_module(task);
  auto& job = *composed;
  // Modules in torch may import triton too.
  job.triton = traits(candidate.language).python_compiler == PythonCompiler::triton ||
               imports_triton(candidate.source);
  const bool extended = job.form == Form::module && speaks_of_extensions(candidate.source);
  const std::string device(backend_of(task, candidate.language));
  if (job.triton && python_.triton_version.empty())
    return languages::BuildFailure{Reason::compiler_missing, languages::no_triton(python_), {}, {}};
  const bool ahead = job.triton && device == "cuda";
  Hash key = sha256_of({"torch", protocol::to_json(job), python_.fingerprint, extended ? device : "",
                        job.triton ? python_.triton_version : "",
                        ahead && tools_ ? recorder_hash_ + tools_->architecture : "",
                        // whose cases its kernels are compiled for
                        ahead && job.form == Form::kernel ? task.hash : "",
                        extended ? made_with(tools_, recorder_hash_, torch_headers) : ""});
  if (auto built = workshop_.built_before(key, {})) return std::move(*built);
  const auto scratch = workshop_.scratch();
  scratch.write(kAnswer, candidate.source);
  sandbox::Policy policy;
  policy.isolated(workshop_.settings().isolation)
      .with_profile(sandbox::SeccompProfile::compiler)
      .system_libraries()
      .execute(python_.program)
      .read(scratch.path().string())
      .in(scratch.path().string());
  for (const auto& folder : python_.folders) policy.read(folder);
  auto exit = workshop_.start(
      std::move(policy), scratch,
      {python_.program, "-I", "-S", "-B", "-c", std::string(kCheck), names_of_entry(job), arguments_of(job)});
  if (!exit.ok()) return failure_of(exit, workshop_.settings().limits, job);
  languages::BuildArtefact made;
  made.cpu_seconds = exit.cpu_seconds;
  std::vector<std::filesystem::path> libraries;
  std::variant<AnswerModules, languages::BuildFailure> modules;  // holds the libraries until they are copied
  if (extended) {
    if (!tools_)
      return languages::BuildFailure{
          Reason::compiler_missing, "nothing here builds what load_inline is handed", {}, {}};
    modules = modules_of(job, device, torch_headers);
    if (auto* failure = std::get_if<languages::BuildFailure>(&modules)) return std::move(*failure);
    const auto& all = std::get<AnswerModules>(modules);
    add(all, job, made, libraries);
    // It may have been the machine that was slow or full: the next one to ask has it recorded again.
    if (all.recorded == Recording::End::died) key = sha256_of({key, "recorded in part"});
  }
  std::vector<std::filesystem::path> kernels;
  std::shared_ptr<const languages::BuildScratch> theirs;  // the answer may leave anything there
  if (ahead) {
    auto compiled = kernels_of(task, job);
    if (auto* failure = std::get_if<languages::BuildFailure>(&compiled)) return std::move(*failure);
    auto& all = std::get<TritonKernels>(compiled);
    kernels = std::move(all.files);
    theirs = std::move(all.folder);
    made.cpu_seconds += all.cpu_seconds;
    made.note += (made.note.empty() ? "" : "; ") + all.note;
    if (!all.whole) key = sha256_of({key, "followed in part"});
  }
  protocol::write_torch_artefact(scratch.file(languages::kLibraryFile), job, libraries, kernels);
  return workshop_.keep(scratch, key, std::move(made));
}

}  // namespace ridgeline::torch_answer
