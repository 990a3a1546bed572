#include "engine/worker/languages/torch_extension/compose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "engine/worker/languages/torch_extension/source_text.hpp"

namespace ridgeline::torch_extension {
namespace {

using Compiler = ExtensionUnit::Compiler;
using Form = ExtensionRequest::Form;

std::string lines(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, "\n"));
}

std::vector<std::string> bindings(const ExtensionRequest& request) {
  std::vector<std::string> made = {"PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {"};
  for (const auto& [name, doc] : request.functions)
    made.push_back(
        request.error_handling
            ? fmt::format("m.def(\"{}\", torch::wrap_pybind_function({}), \"{}\");", name, name, doc)
            : fmt::format("m.def(\"{}\", {}, \"{}\");", name, name, doc));
  made.push_back("}");
  return made;
}

std::string main_text(const ExtensionRequest& request) {
  auto parts = request.cpp_sources;
  if (request.implicit_headers) parts.insert(parts.begin(), "#include <torch/extension.h>");
  if (request.has_functions) {
    const auto exported = bindings(request);
    parts.insert(parts.end(), exported.begin(), exported.end());
  }
  return lines(parts);
}

std::string cuda_text(const ExtensionRequest& request) {
  auto parts = request.cuda_sources;
  if (request.implicit_headers)
    parts.insert(parts.begin(),
                 {"#include <torch/types.h>", "#include <cuda.h>", "#include <cuda_runtime.h>"});
  return lines(parts);
}

std::string all_sources(const ExtensionRequest& request) {
  return lines(request.cpp_sources) + "\n" + lines(request.cuda_sources);
}

std::string at_first_line_of(const ExtensionUnit& unit) {
  return fmt::format("#line 1 \"{}\"\n{}\n", unit.file, unit.text);
}

bool sets_macros(const std::vector<std::string>& flags) {
  return std::ranges::any_of(flags, [](const std::string& flag) {
    return flag.find("-D") != std::string::npos || flag.find("-U") != std::string::npos;
  });
}

}  // namespace

std::vector<ExtensionUnit> compose_as_torch(const ExtensionRequest& request) {
  std::vector<ExtensionUnit> units;
  if (request.form == Form::inlined) {
    units.push_back({Compiler::host, "main.cpp", main_text(request)});
    if (!request.cuda_sources.empty()) units.push_back({Compiler::nvcc, "cuda.cu", cuda_text(request)});
    return units;
  }
  for (const auto& text : request.cpp_sources)
    units.push_back({Compiler::host, fmt::format("source{}.cpp", units.size()), text});
  for (const auto& text : request.cuda_sources)
    units.push_back({Compiler::nvcc, fmt::format("source{}.cu", units.size()), text});
  return units;
}

std::vector<ExtensionUnit> compose_slim(const ExtensionRequest& request) {
  const auto prelude = slim_prelude(all_sources(request));
  auto units = compose_as_torch(request);
  for (auto& unit : units) unit.prelude = prelude;
  return units;
}

std::vector<ExtensionUnit> compose_joined(const ExtensionRequest& request) {
  if (request.form != Form::inlined || !request.implicit_headers || request.cuda_sources.empty() ||
      sets_macros(request.cflags) || !only_declares(lines(request.cpp_sources)) ||
      exports_without_its_header(lines(request.cuda_sources)))
    return {};
  const auto units = compose_as_torch(request);
  return {{Compiler::nvcc, "joined.cu",
           slim_prelude(all_sources(request)) + at_first_line_of(units[0]) + at_first_line_of(units[1])}};
}

}  // namespace ridgeline::torch_extension
