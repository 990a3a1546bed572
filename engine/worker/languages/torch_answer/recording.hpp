// Reads what an answer in Python asked to have built, as the recorder reported it. All of it is claims of the
// candidate: sources to build, under whatever key, and never more.
#pragma once

#include <string>
#include <vector>

#include "engine/worker/languages/torch_extension/request.hpp"

namespace ridgeline::torch_answer {

struct AskedModule {
  std::string key;  // of the request's content; the runner finds the module by it
  torch_extension::ExtensionRequest request;
  /// Hold the line of the answer where each source begins; 0 if it stands nowhere as it is.
  std::vector<int> cpp_lines, cuda_lines;
};

struct Recording {
  std::vector<AskedModule> asked;  // each once, in order
  enum class End {
    done,    // imported, and constructed where something may be asked for then
    raised,  // an exception; `words` are its own
    died     // or was stopped; `words` may be empty
  } end = End::died;
  std::string words;
};

/// Reads the lines that the recorder wrote (runner/python/ridgeline_runner/record.py), up to the first that
/// is none. No I/O.
Recording read_recording(const std::string& lines);

}  // namespace ridgeline::torch_answer
