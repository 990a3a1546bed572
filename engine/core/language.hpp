// The languages that answers are written in, and what is known of each as data.
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
  std::span<const std::string_view> sources;   ///< endings of files that hold a candidate
  std::span<const std::string_view> texts;     ///< endings of files that are worth reading beside
  std::string_view fence;                      ///< the info string of its code blocks
  Syntax syntax;
  Runtime runtime;
  std::span<const Form> forms;  ///< that it can answer in
  /// Where it runs on a CPU only to see whether it is right, slowly: its times there mean nothing.
  bool interpreted_on_cpu = false;
  /// The language of the sources that its answers hand to load_inline on a GPU.
  std::optional<Language> inlines_on_gpu = {};
  /// The language whose toolchain its answers also need. Prompts name that toolchain before its own.
  std::optional<Language> beside = {};
  std::string_view tools = {};  ///< what builds it, in words, for a machine that nobody has asked yet

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
     .tools = "Python with PyTorch and Triton"},
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
});

constexpr const LanguageTraits& traits(Language language) {
  return *std::ranges::find(languages_known, language, &LanguageTraits::language);
}

/// Returns the language of a file by its ending; nullopt if no language has it. Where several share an ending
/// (.py), the last one that can answer in `form`: for modules that is torch, whose files may call Triton too.
constexpr std::optional<Language> language_of_file(std::string_view ending, Form form) {
  std::optional<Language> found;
  for (const auto& known : languages_known)
    if (known.is_source(ending) && (known.answers(form) || !found)) found = known.language;
  return found;
}

static_assert(languages_known.size() == enum_names(Language{}).size(), "a row for each language");

}  // namespace ridgeline
