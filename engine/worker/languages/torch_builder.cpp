#include "engine/worker/languages/torch_builder.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "engine/worker/protocol/torch_job.hpp"

namespace ridgeline {
namespace {

constexpr std::string_view kAnswer = "answer.py";
constexpr int kSyntaxError = 10, kNoModel = 11;  // statuses that the interpreter itself has no use for

/// Parses and looks for the name at the module's own level, however it is bound there.
constexpr std::string_view kCheck = R"(
import ast, sys
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
sys.exit(0 if "ModelNew" in bound(tree.body) else 11)
)";

BuildFailure failure_of(const Outcome& outcome, const Limits& limits) {
  if (outcome.ending == Ending::exited && outcome.code == kNoModel)
    return {Reason::missing_entry_point,
            "the answer defines no ModelNew; it is a class ModelNew(torch.nn.Module) with the reference's "
            "arguments",
            {},
            {}};
  if (outcome.ending == Ending::exited && outcome.code == kSyntaxError)
    return {Reason::compile_error, outcome.err.substr(0, outcome.err.find('\n')), outcome.err, {}};
  return classify_compile(outcome, limits);
}

}  // namespace

TorchBuilder::TorchBuilder(PythonToolchain python, BuildSettings settings)
    : python_(std::move(python)), workshop_(std::move(settings)) {}

BuildResult TorchBuilder::build(const Task& task, const Candidate& candidate) const {
  if (!task.module)
    return BuildFailure{
        Reason::unsupported,
        fmt::format("the task {} is answered in cpp or cuda: its reference is no torch module", task.name),
        {},
        {}};
  const auto job = to_json(torch_job(task, "ModelNew", candidate.source, std::string(kAnswer)));
  const Hash key = sha256_of({"torch", job, python_.fingerprint});
  if (auto built = workshop_.built_before(key, {})) return std::move(*built);
  const auto scratch = workshop_.scratch();
  scratch.write(kAnswer, candidate.source);
  Policy policy;
  policy.isolated(workshop_.settings().isolation)
      .with_profile(SeccompProfile::compiler)
      .system_libraries()
      .execute(python_.program)
      .read(scratch.path().string())
      .in(scratch.path().string());
  for (const auto& folder : python_.folders) policy.read(folder);
  auto outcome = workshop_.start(std::move(policy), scratch,
                                 {python_.program, "-I", "-S", "-B", "-c", std::string(kCheck)});
  if (!outcome.ok()) return failure_of(outcome, workshop_.settings().limits);
  scratch.write(kLibraryFile, job);
  BuildArtefact made;
  made.cpu_seconds = outcome.cpu_seconds;
  return workshop_.keep(scratch, key, std::move(made));
}

}  // namespace ridgeline
