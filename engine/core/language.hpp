// Lists the languages of answers and the traits of each, as data.
//
// Code outside engine/worker/languages/<language>/ asks a trait or the form of the answer, not which language
// it has. A new language is a row of this table, a builder and the parts of prompts/ that bear its name
// (docs/extending.md).
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

/// The family of notations that a language belongs to. It decides how stubs are written and how answers are
/// read and compared as text; docs/extending.md lists the places that a third family needs.
enum class Syntax {
  c,      ///< `//` and `/* */`, braces, declarations with types
  python  ///< `#`, indentation, `def` and `class`
};

/// The program that holds a candidate while it is measured.
enum class Runtime {
  library,     ///< ridgeline-runner, which loads the shared library that was built
  interpreter  ///< Python with torch, which runs the job file that was composed
};

/// The Python package that compiles a language's kernels.
enum class PythonCompiler {
  none,  ///< its answers need nothing but torch, unless they import something
  triton
};

/// A row of the table of languages. The spans point to constants.
struct LanguageTraits {
  Language language;
  std::string_view title;                      ///< in prose: "CUDA C++"
  std::span<const std::string_view> backends;  ///< candidates run on these; the first is the default
  std::span<const std::string_view> sources;   ///< endings of files that hold a candidate
  std::span<const std::string_view> texts;     ///< endings of files that are worth showing beside it
  std::string_view fence;                      ///< the info string of its code blocks
  Syntax syntax;
  Runtime runtime;
  std::span<const Form> forms;  ///< forms that it can answer in
  /// On a CPU it is interpreted, to check results only: its times there mean nothing.
  bool interpreted_on_cpu = false;
  /// The language of the sources that its answers hand to load_inline on a GPU.
  std::optional<Language> inlines_on_gpu = {};
  /// The language whose toolchain its answers also need. Prompts name that toolchain before its own.
  std::optional<Language> beside = {};
  PythonCompiler python_compiler = PythonCompiler::none;
  std::string_view tools =
      {};  ///< its toolchain in prose, for prompts about a machine whose worker has not said

  constexpr bool runs_on(std::string_view backend) const {
    return std::ranges::find(backends, backend) != backends.end();
  }
  /// Whether a candidate's own file ends so: headers do not.
  constexpr bool is_source(std::string_view ending) const {
    return std::ranges::find(sources, ending) != sources.end();
  }
  constexpr bool answers(Form form) const { return std::ranges::find(forms, form) != forms.end(); }
};

namespace language_tables {
inline constexpr auto cpu = std::to_array<std::string_view>({"cpu"});
inline constexpr auto cuda = std::to_array<std::string_view>({"cuda"});
inline constexpr auto either = std::to_array<std::string_view>({"cuda", "cpu"});
inline constexpr auto cpp_sources = std::to_array<std::string_view>({".cpp", ".cc"});
inline constexpr auto cpp_texts = std::to_array<std::string_view>({".cpp", ".cc", ".cxx", ".hpp", ".h"});
inline constexpr auto cuda_sources = std::to_array<std::string_view>({".cu"});
inline constexpr auto cuda_texts = std::to_array<std::string_view>({".cu", ".cuh", ".cpp", ".hpp", ".h"});
inline constexpr auto python_files = std::to_array<std::string_view>({".py"});
inline constexpr auto kernel = std::to_array<Form>({Form::kernel});
inline constexpr auto module = std::to_array<Form>({Form::module});
inline constexpr auto both = std::to_array<Form>({Form::kernel, Form::module});
}  // namespace language_tables

inline constexpr auto languages_known = std::to_array<LanguageTraits>({
    {.language = Language::cpp,
     .title = "C++",
     .backends = language_tables::cpu,
     .sources = language_tables::cpp_sources,
     .texts = language_tables::cpp_texts,
     .fence = "cpp",
     .syntax = Syntax::c,
     .runtime = Runtime::library,
     .forms = language_tables::kernel,
     .tools = "g++"},
    {.language = Language::cuda,
     .title = "CUDA C++",
     .backends = language_tables::cuda,
     .sources = language_tables::cuda_sources,
     .texts = language_tables::cuda_texts,
     .fence = "cuda",
     .syntax = Syntax::c,
     .runtime = Runtime::library,
     .forms = language_tables::kernel,
     .tools = "nvcc"},
    {.language = Language::torch,
     .title = "PyTorch",
     .backends = language_tables::either,
     .sources = language_tables::python_files,
     .texts = language_tables::python_files,
     .fence = "python",
     .syntax = Syntax::python,
     .runtime = Runtime::interpreter,
     .forms = language_tables::module,
     .inlines_on_gpu = Language::cuda,
     .tools = "Python with PyTorch"},
    {.language = Language::triton,
     .title = "Triton",
     .backends = language_tables::either,
     .sources = language_tables::python_files,
     .texts = language_tables::python_files,
     .fence = "python",
     .syntax = Syntax::python,
     .runtime = Runtime::interpreter,
     .forms = language_tables::both,
     .interpreted_on_cpu = true,
     .beside = Language::torch,
     .python_compiler = PythonCompiler::triton,
     .tools = "Python with PyTorch and Triton"},
});

constexpr const LanguageTraits& traits(Language language) {
  return *std::ranges::find(languages_known, language, &LanguageTraits::language);
}

/// Returns the language of a file by its ending; nullopt if no language has it. Where several share an ending
/// (.py), the first row that can answer in `form`: for modules that is torch, whose files may call Triton
/// too. If none can, the first row with that ending.
constexpr std::optional<Language> language_of_file(std::string_view ending, Form form) {
  std::optional<Language> match;
  for (const auto& known : languages_known) {
    if (!known.is_source(ending)) continue;
    if (known.answers(form)) return known.language;
    if (!match) match = known.language;
  }
  return match;
}

static_assert(languages_known.size() == enum_names(Language{}).size(), "a row for each language");

}  // namespace ridgeline
