// Decides whether a front end that was prepared for everybody gives this request's verdict. No I/O.
//
// A front end is prepared with torch's own flags and headers and nothing else, so it serves a request whose
// flags change no declaration, and whose sources include torch's headers before anything that could change
// them.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "engine/core/names.hpp"
#include "engine/worker/languages/torch_extension/extension_flags.hpp"
#include "engine/worker/languages/torch_extension/request.hpp"

namespace ridgeline::front_ends {

enum class Fit {
  fits,
  no_source,        // of that kind: there is nothing to check
  other_form,       // whole files, or no implicit headers: they may include anything first
  flags,            // one that may change what the headers declare
  compilers_words,  // an optimization flag, and a source that asks the compiler about it
  own_files,        // a source that may ask for files of the build, or how deep it is included
  headers_first     // something before torch/extension.h that may change what it declares
};

constexpr auto enum_names(Fit) {
  return std::to_array<Name<Fit>>({{Fit::fits, "fits"},
                                   {Fit::no_source, "no_source"},
                                   {Fit::other_form, "other_form"},
                                   {Fit::flags, "flags"},
                                   {Fit::compilers_words, "compilers_words"},
                                   {Fit::own_files, "own_files"},
                                   {Fit::headers_first, "headers_first"}});
}

/// Decides for main.cpp: the C++ sources and the bindings.
Fit fit_of_main(const torch_extension::ExtensionRequest& request,
                const torch_extension::ExtensionFlags& flags);
/// Decides for cuda.cu.
Fit fit_of_cuda(const torch_extension::ExtensionRequest& request,
                const torch_extension::ExtensionFlags& flags);

/// Returns whether `source` includes torch/extension.h before anything but comments and headers that
/// torch/types.h includes. load_inline writes torch/types.h before the source.
bool begins_with_torch(std::string_view source);

}  // namespace ridgeline::front_ends
