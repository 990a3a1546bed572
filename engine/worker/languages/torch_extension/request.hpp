// Holds what a Python answer asks of torch.utils.cpp_extension, as the runner sends it: plain data.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ridgeline::torch_extension {

/// Names, order and meaning as torch 2.11's load_inline has them.
struct ExtensionRequest {
  enum class Form {
    inlined,  // load_inline: the sources are parts; headers and bindings are added
    files     // load: each source is a whole file
  } form = Form::inlined;
  std::string name;  // of the module, a C identifier
  std::vector<std::string> cpp_sources, cuda_sources;
  /// (function, docstring) to export; empty: the sources export by themselves.
  std::vector<std::pair<std::string, std::string>> functions;
  bool has_functions = false;  // load_inline(functions=[]) makes an empty module, functions=None none
  std::vector<std::string> cflags, cuda_cflags, ldflags;
  bool error_handling = true;    // with_pytorch_error_handling
  bool implicit_headers = true;  // not no_implicit_headers
  bool with_cuda = false;        // CUDA's headers and runtime for C++ sources too
};

}  // namespace ridgeline::torch_extension
