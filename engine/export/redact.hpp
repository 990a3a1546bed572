// Keeps what hidden and final cases showed out of training data: a model must not learn what gates it unseen.
#pragma once

#include <set>
#include <string>

#include "engine/core/verdict.hpp"

namespace ridgeline::exporting {

/// Names of the hidden and final cases in a task's JSON document.
std::set<std::string> secret_cases(const std::string& task_document);

/// The verdict as prompts may know it: a failure on a secret case keeps its status and reason only.
Verdict without_secrets(Verdict verdict, const std::set<std::string>& secret);

}  // namespace ridgeline::exporting
