// CUDA C++: nvcc's steps, into a library.
#pragma once

#include "engine/worker/languages/language_support.hpp"

namespace ridgeline::languages {

const LanguageSupport& cuda_support();

}  // namespace ridgeline::languages
