// Triton: a kernel in Python, or a class ModelNew that launches some, for a runner that is an interpreter. On
// a GPU its kernels are compiled while it is built (torch_answer/triton_compiler.hpp).
#pragma once

#include "engine/worker/languages/language_support.hpp"

namespace ridgeline::languages {

const LanguageSupport& triton_support();

}  // namespace ridgeline::languages
