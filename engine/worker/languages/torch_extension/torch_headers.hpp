// Finds torch's own headers and Python's, for sources that need more than the slim ones.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace ridgeline::torch_extension {

struct TorchHeaders {
  std::filesystem::path package;         // …/site-packages/torch
  std::filesystem::path python_include;  // holds Python.h of the interpreter that will load the module
  std::string version;                   // "2.11.0+cu130"

  std::vector<std::filesystem::path> includes() const;
  std::filesystem::path libraries() const { return package / "lib"; }
};

/// Finds the headers, or says what is missing and how to repair it.
std::variant<TorchHeaders, std::string> find_torch_headers(const std::filesystem::path& package,
                                                           const std::filesystem::path& python_include);

}  // namespace ridgeline::torch_extension
