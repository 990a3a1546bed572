// Declares the Python program that asks radon as compiled-in texts. CMakeLists.txt generates them from
// ridgeline_code_quality/radon_script.py and engine/python/shared/*.py.
#pragma once

namespace ridgeline::code_quality::detail {

struct PythonModule {
  const char* name;  ///< without ".py"; null after the last
  const char* text;  ///< null after the last
};

extern const char* const radon_script;
extern const PythonModule python_modules[];

}  // namespace ridgeline::code_quality::detail
