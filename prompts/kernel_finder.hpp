// Finds the part of an answer that is the kernel.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::prompts {

/// The kernel's source as it stands in an answer, and how sure that is.
struct FoundKernel {
  std::string source;          ///< tidy; "" if there is none
  bool defines = false;        ///< it defines the entry point
  bool complete = false;       ///< its block was closed
  std::size_t begin = 0;       ///< the source's offset in the text
  std::string diff;            ///< the last unified diff; "" if there is none
  std::size_t diff_begin = 0;  ///< the diff's offset
  std::string problem;         ///< why there is no source
};

/// Takes an answer without reasoning (reasoning.hpp). answer_reader.hpp says which parts it prefers.
FoundKernel find_kernel(std::string_view text, const Task& task, Language language);

}  // namespace ridgeline::prompts
