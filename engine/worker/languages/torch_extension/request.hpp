// Holds what a Python answer asks of torch.utils.cpp_extension, as the runner sends it: plain data.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ridgeline::torch_extension {

/// Follows the arguments of torch 2.11's load_inline and load. extra_include_paths and build_directory are
/// ignored.
struct ExtensionRequest {
  enum class Form {
    inlined,  // load_inline: the sources are parts; headers and bindings are added
    files     // load: each source is the text of a file, CUDA's if the file's name ends with .cu or .cuh
  } form = Form::inlined;
  std::string name;  // the module's, unchecked: ExtensionBuilder refuses one that is no C identifier
  std::vector<std::string> cpp_sources, cuda_sources;
  std::vector<std::pair<std::string, std::string>> functions;  // (function, docstring) to export
  // Whether functions was not None. If it was, the sources export by themselves; an empty list makes an empty
  // module.
  bool has_functions = false;
  std::vector<std::string> cflags, cuda_cflags, ldflags;  // extra_cflags and so on
  bool error_handling = true;                             // with_pytorch_error_handling
  bool implicit_headers = true;                           // the opposite of no_implicit_headers
  // The argument: C++ sources get CUDA's headers and runtime. They do too if there are CUDA sources, or if a
  // source's text says "cuda".
  bool with_cuda = false;
};

}  // namespace ridgeline::torch_extension
