#include "tests/fuzz/lying_interpreter.hpp"

#include <array>

#include "tests/fuzz/target.hpp"

namespace ridgeline::runner::python {
struct Object {
  long references = 1;
};
}  // namespace ridgeline::runner::python

namespace ridgeline::fuzz {
namespace {

using runner::python::Object;

std::uint64_t state = 0;
long alive = 0;
int locks = 0;
Object* common = nullptr;

/// SplitMix64: https://prng.di.unimi.it/splitmix64.c gives the constants.
std::uint64_t any() {
  require(locks > 0, "the interpreter's lock is held where it is asked");
  state += 0x9e3779b97f4a7c15;
  auto mixed = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

/// The common object nearly always, so that what is compared with it is mostly the same, and calls come to
/// their ends.
Object* any_object() {
  const auto choice = any() % 32;
  if (choice == 0) return nullptr;
  if (choice == 1) return new_object();
  ++common->references;
  return common;
}
/// -1: it failed; 0; mostly 1.
int any_answer() {
  const auto choice = any() % 32;
  return choice == 0 ? -1 : choice < 4 ? 0 : 1;
}

void drop(Object* object) {
  require(object->references > 0, "an object that is dropped is alive");
  if (--object->references > 0) return;
  delete object;
  --alive;
}

}  // namespace

void begin_interpreter(std::uint64_t seed) {
  state = seed;
  common = new_object();
}

void end_interpreter() {
  drop(common);
  require(alive == 0, "no object outlives its interpreter");
  require(locks == 0, "no lock is kept");
}

runner::python::Object* common_object() {
  return common;
}

runner::python::Object* new_object() {
  ++alive;
  return new Object;
}

}  // namespace ridgeline::fuzz

#define RIDGELINE_EXPORTED extern "C" __attribute__((visibility("default")))
using namespace ridgeline::fuzz;

RIDGELINE_EXPORTED int PyGILState_Ensure() {
  return locks++;
}
RIDGELINE_EXPORTED void PyGILState_Release(int before) {
  --locks;
  require(locks == before, "locks are released in the order in which they were taken");
}
RIDGELINE_EXPORTED void Py_IncRef(Object* object) {
  ++object->references;
}
RIDGELINE_EXPORTED void Py_DecRef(Object* object) {
  drop(object);
}
RIDGELINE_EXPORTED Object* PyObject_Call(Object*, Object*, Object*) {
  return any_object();
}
RIDGELINE_EXPORTED Object* PyObject_CallFunctionObjArgs(Object*, ...) {
  return any_object();
}
RIDGELINE_EXPORTED Object* PyObject_Type(Object*) {
  return any_object();
}
RIDGELINE_EXPORTED int PyObject_IsInstance(Object*, Object*) {
  return any_answer();
}
RIDGELINE_EXPORTED int PyObject_RichCompareBool(Object*, Object*, int) {
  return any_answer();
}
/// Mostly 2: the outputs of the job, and what a slot is made of.
RIDGELINE_EXPORTED std::ptrdiff_t PySequence_Size(Object*) {
  const auto choice = any() % 16;
  return choice < 4 ? static_cast<std::ptrdiff_t>(choice * 2) - 1 : 2;
}
RIDGELINE_EXPORTED Object* PySequence_GetItem(Object*, std::ptrdiff_t) {
  return any_object();
}
RIDGELINE_EXPORTED Object* PyLong_FromLong(long) {
  return any_object();
}
RIDGELINE_EXPORTED unsigned long long PyLong_AsUnsignedLongLong(Object*) {
  return any();
}
RIDGELINE_EXPORTED const char* PyUnicode_AsUTF8AndSize(Object*, std::ptrdiff_t* size) {
  static const std::array<char, 5000> text{};
  *size = static_cast<std::ptrdiff_t>(any() % text.size());
  return any() % 8 == 0 ? nullptr : text.data();
}
RIDGELINE_EXPORTED void PyErr_Fetch(Object** type, Object** value, Object** traceback) {
  *type = any_object();
  // Without an exception all three are null.
  *value = *type == nullptr ? nullptr : any_object();
  *traceback = *type == nullptr ? nullptr : any_object();
}
RIDGELINE_EXPORTED void PyErr_NormalizeException(Object**, Object**, Object**) {}
RIDGELINE_EXPORTED int PyException_SetTraceback(Object*, Object*) {
  return any_answer() < 0 ? -1 : 0;
}
RIDGELINE_EXPORTED void PyErr_Clear() {}
