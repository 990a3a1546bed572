// Functions as Python calls them: arguments by position and name go to the first overload that takes them.
#pragma once

#include "torch_slim/function.h"

namespace torch_slim {

/// Exports the function, or adds it behind the others of its name.
void add_overload(PyObject* module, Function* made);

/// A new module, filled; null with Python's error set.
PyObject* make_module(const char* name, void (*fill)(PyObject*));

}  // namespace torch_slim
