#include "engine/worker/languages/trampoline.hpp"

#include <fmt/format.h>

#include <vector>

#include "engine/core/signature.hpp"

namespace ridgeline::languages {
namespace {

std::string with_commas(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string parameter_types(const Task& task, Language language, bool with_workspace) {
  std::vector<std::string> types;
  for (const auto& argument : kernel_arguments(task, language, with_workspace))
    types.push_back(argument.type);
  return with_commas(types);
}

std::string size_types(const Task& task) {
  return task.sizes.empty() ? "void" : with_commas(std::vector<std::string>(task.sizes.size(), "int64_t"));
}

std::string size_values(const Task& task) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < task.sizes.size(); ++i) values.push_back(fmt::format("sizes[{}]", i));
  return with_commas(values);
}

/// Lists what the trampoline hands the kernel, from the arrays of the call interface.
std::string call_values(const Task& task, Language language, bool with_workspace) {
  std::vector<std::string> values;
  const auto arguments = kernel_arguments(task, language, false);  // tensors come first
  for (std::size_t i = 0; i < task.tensors().size(); ++i)
    values.push_back(fmt::format("static_cast<{}>(tensors[{}])", arguments[i].type, i));
  if (!task.sizes.empty()) values.push_back(size_values(task));
  std::size_t floats = 0, integers = 0;
  for (const auto* scalar : task.scalars()) {
    if (scalar->type == ScalarType::float64)
      values.push_back(fmt::format("float_scalars[{}]", floats++));
    else
      values.push_back(
          fmt::format("int_scalars[{}]{}", integers++, scalar->type == ScalarType::boolean ? " != 0" : ""));
  }
  if (with_workspace) values.push_back("workspace");
  values.push_back("stream");
  return with_commas(values);
}

/// Element types of CUDA's headers, for pointers to them; a source that includes the headers has them
/// already.
constexpr std::string_view kCudaTypes = "struct __half;\nstruct __nv_bfloat16;\n";

// The runtime is linked statically into the library, so only the library itself sees its launch errors.
constexpr std::string_view kCudaErrors = R"(extern "C" int cudaGetLastError();
extern "C" const char* cudaGetErrorString(int);
extern "C" const char* ridgeline_error_text(int error) noexcept { return cudaGetErrorString(error); }
)";

/// A backslash at its very end would take the directive below for a part of its line.
bool joins_next_line(std::string_view source) {
  const auto last = source.find_last_not_of(" \t\r");
  return last != std::string_view::npos && source[last] == '\\';
}

}  // namespace

std::string source_file(Language language) {
  return "kernel" + std::string(traits(language).sources.front());
}

std::string trampoline_source(const Task& task, Language language) {
  using fmt::arg;
  const bool cuda = traits(language).runs_on("cuda");
  return fmt::format(
      R"(#include <stddef.h>
#include <stdint.h>
{declarations}using Plain = void({plain});
using WithWorkspace = void({workspace});
extern "C" void {entry}();
extern "C" size_t {entry}_workspace({sizes}) __attribute__((weak));
extern "C" const int ridgeline_kernel_form;
extern "C" int ridgeline_call([[maybe_unused]] void* const* tensors, [[maybe_unused]] const int64_t* sizes,
                              [[maybe_unused]] const double* float_scalars,
                              [[maybe_unused]] const int64_t* int_scalars,
                              [[maybe_unused]] void* workspace, void* stream) noexcept {{
  if (ridgeline_kernel_form == 2)
    reinterpret_cast<WithWorkspace*>(&{entry})({workspace_values});
  else
    reinterpret_cast<Plain*>(&{entry})({plain_values});
  return {result};
}}
extern "C" size_t ridgeline_workspace([[maybe_unused]] const int64_t* sizes) noexcept {{
  return ridgeline_kernel_form == 2 ? {entry}_workspace({size_values}) : 0;
}}
)",
      arg("declarations", cuda ? std::string{kCudaTypes} + std::string{kCudaErrors} : ""),
      arg("result", cuda ? "cudaGetLastError()" : "0"), arg("plain", parameter_types(task, language, false)),
      arg("workspace", parameter_types(task, language, true)), arg("entry", entry_point(task)),
      arg("sizes", size_types(task)), arg("plain_values", call_values(task, language, false)),
      arg("workspace_values", call_values(task, language, true)), arg("size_values", size_values(task)));
}

std::string with_signature_check(const Task& task, Language language, std::string_view source) {
  using fmt::arg;
  // A pointer to a noexcept function converts as well; anything else falls through to the ellipsis.
  return fmt::format(
      R"text({source}{joined}
#line 1 "{file}"
#include <stddef.h>
#include <stdint.h>
{declarations}namespace ridgeline_signature {{
constexpr int form(void (*)({plain})) {{ return 1; }}
constexpr int form(void (*)({workspace})) {{ return 2; }}
constexpr int form(...) {{ return 0; }}
template <class... S> constexpr auto sized(int) -> decltype(sizeof({entry}_workspace(S()...))) {{
  return sizeof({entry}_workspace(S()...)) == sizeof(size_t);
}}
template <class... S> constexpr size_t sized(long) {{ return 0; }}
}}
static_assert(ridgeline_signature::form(&::{entry}) != 0, "{entry} must have the signature of the stub: void {entry}({plain})");
static_assert(ridgeline_signature::form(&::{entry}) != 2 || ridgeline_signature::sized<{size_arguments}>(0), "{entry} takes a workspace, so define before it: size_t {entry}_workspace({sizes})");
extern "C" {{ extern const int ridgeline_kernel_form; const int ridgeline_kernel_form = ridgeline_signature::form(&::{entry}); }}
)text",
      arg("source", source), arg("joined", joins_next_line(source) ? "\n" : ""), arg("file", kCheckFile),
      arg("declarations", traits(language).runs_on("cuda") ? kCudaTypes : ""),
      arg("plain", parameter_types(task, language, false)),
      arg("workspace", parameter_types(task, language, true)), arg("sizes", size_types(task)),
      arg("size_arguments", task.sizes.empty() ? "" : size_types(task)), arg("entry", entry_point(task)));
}

}  // namespace ridgeline::languages
