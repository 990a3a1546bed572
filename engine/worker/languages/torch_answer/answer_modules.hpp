// The modules of an answer: recorded, built, and recorded again where one did not build, since an answer may
// catch what load_inline raises then and go on without it. Decides; recording and building are the caller's.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "engine/worker/languages/torch_answer/made_module.hpp"

namespace ridgeline::torch_answer {

struct AnswerModules {
  std::vector<MadeModule> made;  // in the order in which they were asked for
  Recording::End recorded = Recording::End::done;
};

/// Errors by key, as Recorder::record wants them.
using FailedModules = std::map<std::string, std::string>;
using RecordAnswer = std::function<Recording(const FailedModules&)>;
using MakeModule = std::function<MadeModule(const AskedModule&)>;

/// A failure is that of a module which the answer does not go on without.
std::variant<AnswerModules, languages::BuildFailure> make_modules(const RecordAnswer& record,
                                                                  const MakeModule& make);

/// "2 modules: 1 with slim headers, 1 with torch's own; 3.1 s of CPU".
std::string note_of(const AnswerModules& modules);

}  // namespace ridgeline::torch_answer
