// C++: g++ or clang, into a library.
#pragma once

#include "engine/worker/languages/language_support.hpp"

namespace ridgeline::languages {

const LanguageSupport& cpp_support();

}  // namespace ridgeline::languages
