// The languages that answers are written in, and what is known of each as data.
//
// Nothing outside of engine/worker/languages/<language>/ asks which language it has: it asks a trait here, or
// the form of the answer. A new language is a row of this table, a builder and the
// parts of prompts/ that bear its name (docs/extending.md).
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "engine/core/names.hpp"

namespace ridgeline {

enum class Language { cpp, cuda, triton, torch };
constexpr auto enum_names(Language) {
  return std::to_array<Name<Language>>({{Language::cpp, "cpp"},
                                        {Language::cuda, "cuda"},
                                        {Language::triton, "triton"},
                                        {Language::torch, "torch"}});
}

/// How an answer is called.
enum class Form {
  kernel,  ///< a function that writes into given outputs
  module   ///< a class ModelNew, derived from torch.nn.Module, whose forward returns them
};
constexpr auto enum_names(Form) {
  return std::to_array<Name<Form>>({{Form::kernel, "kernel"}, {Form::module, "module"}});
}

/// How a text of a language is read: comments, blocks, signatures.
enum class Syntax { c, python };

/// What holds a candidate while it is measured.
enum class Runtime {
  library,     ///< ridgeline-runner, with the shared library that was built
  interpreter  ///< Python with torch, with the job that was composed
};

struct LanguageTraits {
  Language language;
  std::string_view title;                      ///< in prose: "CUDA C++"
  std::span<const std::string_view> backends;  ///< that candidates run on; the first where nothing is said
  std::span<const std::string_view> endings;   ///< of files: the first is a source's own
  std::string_view fence;                      ///< the info string of its code blocks
  Syntax syntax;
  Runtime runtime;
  std::span<const Form> forms;  ///< that it can answer in
  /// Where it runs on a CPU only to see whether it is right, slowly: its times there mean nothing.
  bool interpreted_on_cpu = false;
  /// The language of the sources that its answers hand to load_inline on a GPU.
  std::optional<Language> inlines_on_gpu = {};

  constexpr bool runs_on(std::string_view backend) const {
    return std::ranges::find(backends, backend) != backends.end();
  }
  constexpr bool answers(Form form) const { return std::ranges::find(forms, form) != forms.end(); }
};

namespace language_tables {
inline constexpr auto cpu = std::to_array<std::string_view>({"cpu"});
inline constexpr auto cuda = std::to_array<std::string_view>({"cuda"});
inline constexpr auto either = std::to_array<std::string_view>({"cuda", "cpu"});
inline constexpr auto cpp_files = std::to_array<std::string_view>({".cpp", ".cc", ".cxx", ".hpp", ".h"});
inline constexpr auto cuda_files = std::to_array<std::string_view>({".cu", ".cuh", ".cpp", ".hpp", ".h"});
inline constexpr auto python_files = std::to_array<std::string_view>({".py"});
inline constexpr auto kernel = std::to_array<Form>({Form::kernel});
inline constexpr auto module = std::to_array<Form>({Form::module});
inline constexpr auto both = std::to_array<Form>({Form::kernel, Form::module});
}  // namespace language_tables

inline constexpr auto languages_known = std::to_array<LanguageTraits>({
    {.language = Language::cpp,
     .title = "C++",
     .backends = language_tables::cpu,
     .endings = language_tables::cpp_files,
     .fence = "cpp",
     .syntax = Syntax::c,
     .runtime = Runtime::library,
     .forms = language_tables::kernel},
    {.language = Language::cuda,
     .title = "CUDA C++",
     .backends = language_tables::cuda,
     .endings = language_tables::cuda_files,
     .fence = "cuda",
     .syntax = Syntax::c,
     .runtime = Runtime::library,
     .forms = language_tables::kernel},
    {.language = Language::triton,
     .title = "Triton",
     .backends = language_tables::either,
     .endings = language_tables::python_files,
     .fence = "python",
     .syntax = Syntax::python,
     .runtime = Runtime::interpreter,
     .forms = language_tables::both,
     .interpreted_on_cpu = true},
    {.language = Language::torch,
     .title = "PyTorch",
     .backends = language_tables::either,
     .endings = language_tables::python_files,
     .fence = "python",
     .syntax = Syntax::python,
     .runtime = Runtime::interpreter,
     .forms = language_tables::module,
     .inlines_on_gpu = Language::cuda},
});

constexpr const LanguageTraits& traits(Language language) {
  return *std::ranges::find(languages_known, language, &LanguageTraits::language);
}

static_assert(languages_known.size() == enum_names(Language{}).size(), "a row for each language");

}  // namespace ridgeline
