// CPython's functions of interpreter_api.hpp, of an interpreter that was taken over: any of them fails, and
// returns any object, number or text. Objects are counted, so that a reference that is kept or dropped twice
// shows. The program that links them must export its symbols, since they are looked up by name.
#pragma once

#include <cstdint>

#include "engine/worker/runner/python/interpreter_api.hpp"

namespace ridgeline::fuzz {

/// Begins an interpreter whose answers follow from `seed`.
void begin_interpreter(std::uint64_t seed);
/// Ends it. Throws std::logic_error if an object is still referred to, or the lock is held.
void end_interpreter();
/// Returns the object that the functions mostly return. Borrowed.
runner::python::Object* common_object();
/// Returns a new object, which the caller owns.
runner::python::Object* new_object();

}  // namespace ridgeline::fuzz
