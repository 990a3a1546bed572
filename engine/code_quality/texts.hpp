// Declares the Python program that asks radon as compiled-in texts. CMakeLists.txt generates them from
// ridgeline_code_quality/figures_of_texts.py and engine/python/shared/*.py.
#pragma once

namespace ridgeline::code_quality::detail {

struct QualityProgram {
  const char* name;  ///< of a module, without ".py"; null after the last
  const char* text;  ///< null after the last
};

extern const char* const figures_of_texts;
extern const QualityProgram quality_programs[];

}  // namespace ridgeline::code_quality::detail
