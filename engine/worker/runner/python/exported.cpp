// What libridgeline-python-runner.so shows: three C functions, called through ctypes. It is linked to no
// Python, so one build serves every interpreter.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "engine/worker/runner/python/python_candidate.hpp"
#include "engine/worker/runner/python/texts.hpp"
#include "engine/worker/runner/serve.hpp"
#include "engine/worker/sandbox/lockdown.hpp"

#define RIDGELINE_EXPORTED extern "C" __attribute__((visibility("default")))

using namespace ridgeline::runner;

/// The text of a module of the package ridgeline_runner; null if there is none of that name.
RIDGELINE_EXPORTED const char* ridgeline_python_text(const char* name) {
  for (const auto* module = python::modules; module->name; ++module)
    if (std::strcmp(module->name, name) == 0) return module->text;
  return nullptr;
}

/// What a runner lays on itself before a candidate comes, on a process that writes to `told` alone.
RIDGELINE_EXPORTED int ridgeline_python_confine(int told) {
  try {
    const std::array<int, 3> descriptors{1, 2, told};
    auto loading = ridgeline::Lockdown::loading(descriptors);
    ridgeline::prepare_for_lockdown();
    loading.install();
    return 0;
  } catch (const std::exception&) {
    std::_Exit(3);  // nothing of a candidate may run now
  }
}

/// Serves the judge at the other end of `channel` until it is gone: 0. Where that cannot be, 3, and why on
/// stderr.
///
/// `locked`: Lockdown::loading is laid before the candidate's source is executed, and holds for good. The
/// narrower Lockdown::running is not laid: an interpreter imports lazily, and oneDNN compiles what it needs
/// when it is first needed. Exec, fork, threads, sockets, signals and writing to files stay refused, as for a
/// library.
///
/// A device has its place here: a Side made by make_cuda_side() maps descriptors that are allocations, and
/// the interpreter's tensors over them say `cuda`.
RIDGELINE_EXPORTED int ridgeline_python_serve(int channel, const python::Callbacks* callbacks, int locked) {
  try {
    serve(channel, make_host_side(), python::make_python_candidate(*callbacks),
          locked ? Lockdowns::loading : Lockdowns::none);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ridgeline-python-runner: %s\n", error.what());
    return 3;
  }
}
