// Supports PyTorch: a class ModelNew, for a runner that is an interpreter; with what it hands to load_inline.
#pragma once

#include "engine/worker/languages/language_support.hpp"

namespace ridgeline::languages {

const LanguageSupport& torch_support();

// For the other languages of Python, which are built the same way.

/// Builds what the request's task has a form for (torch_answer/torch_builder.hpp).
std::unique_ptr<LanguageBuilder> make_python_builder(BuilderMeans& means);
/// Returns words such as "Python 3.11.7, torch 2.11.0".
std::string python_version(const MachineTools& tools);
/// Returns why there is no Python with torch, or no compiler; "" if both are there.
std::string python_missing(const MachineTools& tools);

}  // namespace ridgeline::languages
