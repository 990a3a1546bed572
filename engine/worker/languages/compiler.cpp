#include "engine/worker/languages/compiler.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "engine/core/hash.hpp"
#include "engine/worker/languages/candidate_log.hpp"
#include "engine/worker/languages/flags/refused_flag.hpp"
#include "engine/worker/languages/prelude.hpp"
#include "engine/worker/languages/trampoline.hpp"

namespace ridgeline::languages {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, "\n"));
}

/// Returns the flags that every library is built with; they are part of its key.
std::vector<std::string> fixed_flags(const Toolchain& toolchain) {
  const bool clang = toolchain.family == Toolchain::Family::clang;
  // -g1: lines for the place of a crash; -z defs: unresolved names fail here and not in the runner.
  std::vector<std::string> flags = {"-g1", clang ? "-ferror-limit=20" : "-fmax-errors=20", "-shared",
                                    "-Wl,-z,defs"};
  if (toolchain.gold) flags.push_back("-fuse-ld=gold");
  return flags;
}

/// The header pulled in what the source declares otherwise: not the candidate's fault.
bool may_clash_with_prelude(const std::string& log) {
  for (const char* word :
       {"redeclar", "redefin", "conflict", "ambiguat", "ambiguous", "previous declaration"})
    if (log.find(word) != std::string::npos) return true;
  return false;
}

}  // namespace

Compiler::Compiler(Toolchain toolchain, BuildSettings settings)
    : toolchain_(std::move(toolchain)), workshop_(std::move(settings)) {}

fs::path Compiler::header_folder(const std::vector<std::string>& flags) const {
  return workshop_.cache().folder() /
         ("header-" + sha256_of({kPrelude, toolchain_.fingerprint, joined(flags)}));
}

bool Compiler::warm_up(const std::vector<std::string>& flags) const {
  if (toolchain_.family != Toolchain::Family::gcc || first_forbidden(flags)) return false;
  const fs::path folder = header_folder(flags);
  if (workshop_.cache().hold(folder)) return true;
  const auto scratch = workshop_.scratch();
  scratch.write("prelude.hpp", kPrelude);
  auto arguments = flags;
  arguments.insert(arguments.end(), {"-g1", "-x", "c++-header", "prelude.hpp", "-o", "prelude.hpp.gch"});
  if (!workshop_.run(toolchain_, scratch, std::move(arguments)).ok()) return false;
  fs::create_directory(scratch.file("header"));
  for (const char* name : {"prelude.hpp", "prelude.hpp.gch"})
    fs::rename(scratch.file(name), scratch.file("header") / name);
  workshop_.cache().keep(scratch.file("header"), folder);
  return true;
}

sandbox::ConfinedExit Compiler::compile(const BuildScratch& scratch, const std::vector<std::string>& flags,
                                        const fs::path& trampoline, bool precompiled) const {
  std::vector<fs::path> readable = {trampoline};
  auto arguments = flags;
  const auto fixed = fixed_flags(toolchain_);
  arguments.insert(arguments.end(), fixed.begin(), fixed.end());
  if (precompiled) {
    readable.push_back(header_folder(flags));
    arguments.insert(arguments.end(), {"-include", (header_folder(flags) / "prelude.hpp").string()});
  }
  arguments.insert(arguments.end(), {std::string{source_file(Language::cpp)}, trampoline.string(), "-o",
                                     std::string{kLibraryFile}});
  return workshop_.run(toolchain_, scratch, std::move(arguments), readable);
}

BuildResult Compiler::build(const Task& task, const Candidate& candidate,
                            const std::vector<std::string>& flags) const {
  if (candidate.language != Language::cpp)
    return BuildFailure{Reason::unsupported,
                        fmt::format("no compiler for {} here", to_string(candidate.language)),
                        {},
                        flags};
  if (const auto bad = first_forbidden(flags))
    return BuildFailure{Reason::forbidden_flag, refusal_of(*bad, false), {}, flags};

  const std::string text = with_signature_check(task, Language::cpp, candidate.source);
  const Hash key = sha256_of({text, trampoline_source(task, Language::cpp), joined(flags),
                              joined(fixed_flags(toolchain_)), toolchain_.fingerprint});
  if (auto built = workshop_.built_before(key, flags)) return std::move(*built);

  const auto trampoline = workshop_.trampoline(toolchain_, task, Language::cpp);
  const auto scratch = workshop_.scratch();
  scratch.write(source_file(Language::cpp), text);
  const auto header =
      gains_from_prelude(candidate.source) ? workshop_.cache().hold(header_folder(flags)) : nullptr;
  const bool precompiled = header != nullptr;
  sandbox::ConfinedExit exit = compile(scratch, flags, trampoline.path, precompiled);
  if (precompiled && !exit.ok() && may_clash_with_prelude(exit.err))
    exit = compile(scratch, flags, trampoline.path, false);
  if (!exit.ok()) {
    exit.err = of_candidate(exit.err, task, Language::cpp, candidate.source);
    auto failure = classify_build(exit, workshop_.settings().limits, task, Language::cpp);
    failure.flags = flags;
    return failure;
  }
  BuildArtefact made;
  made.cpu_seconds = exit.cpu_seconds;
  made.log = std::move(exit.err);
  made.flags = flags;
  return workshop_.keep(scratch, key, std::move(made));
}

}  // namespace ridgeline::languages
