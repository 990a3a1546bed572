// Decides which modules of an answer are built, in which order. To record an answer is to execute it while
// load_inline notes the module that is asked for and builds nothing (recorder.hpp). After that the modules
// are built. If one does not build, the answer is recorded again with load_inline raising that error: the
// answer may catch it, go on without the module and ask for others. The caller's functions record and build.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "engine/worker/languages/torch_answer/made_module.hpp"

namespace ridgeline::torch_answer {

struct AnswerModules {
  /// Built, or failed and not needed by the answer; in the order in which they were asked for.
  std::vector<MadeModule> made;
  Recording::End recorded = Recording::End::done;  // how the last recording ended
};

/// Holds the error that load_inline raises for each module that did not build, by AskedModule::key.
using FailedModules = std::map<std::string, std::string>;
using RecordAnswer = std::function<Recording(const FailedModules&)>;
using MakeModule = std::function<MadeModule(const AskedModule&)>;

/// Records the answer up to five times and makes each module once. Returns a failure if the answer needs a
/// module that failed (it ends with the error, or the last recording still met a new failure), or if a module
/// failed as compiler_missing, which is not the answer's fault.
std::variant<AnswerModules, languages::BuildFailure> make_modules(const RecordAnswer& record,
                                                                  const MakeModule& make);

/// Sums the modules up for people: "2 modules: 1 with slim headers, 1 with torch's own headers; 3.1 s of
/// CPU". Slim headers are the small stand-ins for torch's headers (engine/torch_slim).
std::string note_of(const AnswerModules& modules);

}  // namespace ridgeline::torch_answer
