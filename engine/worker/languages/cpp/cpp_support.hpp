// Supports the language `cpp`: g++ or clang builds a candidate into a shared library.
#pragma once

#include "engine/worker/languages/language_support.hpp"

namespace ridgeline::languages {

/// Returns the one object, which has no state and lives as long as the program (language_support.hpp).
const LanguageSupport& cpp_support();

}  // namespace ridgeline::languages
