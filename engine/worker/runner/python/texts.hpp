// Declares the interpreter's side of a runner, compiled in as texts: the Python package ridgeline_runner,
// from the files of that folder and of engine/python/shared. CMakeLists.txt generates the definition.
#pragma once

namespace ridgeline::runner::python {

struct Module {
  const char* name;  ///< within the package, without ".py": "__init__", "serve"
  const char* text;
};

/// All modules, in no order that counts. After the last one comes one whose pointers are null.
extern const Module modules[];

}  // namespace ridgeline::runner::python
