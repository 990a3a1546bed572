// The binary interface between a candidate's library and the runner. Plain C types: the trampoline that is
// compiled into the library spells the same ones (trampoline.hpp).
//
// Arrays are in the task's order: tensors and sizes as declared; the scalars split by type, float64 into
// `float_scalars`, int64 and bool (0 or 1) into `int_scalars`, each in the order of `parameters`.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace ridgeline::languages {

/// Returns 0, or the backend's own error code for a launch that failed. An exception ends the process.
using CallFunction = int (*)(void* const* tensors, const int64_t* sizes, const double* float_scalars,
                             const int64_t* int_scalars, void* workspace, void* stream);

/// Returns the bytes of scratch that the kernel wants for these sizes; 0 if it defines no workspace function.
using WorkspaceFunction = size_t (*)(const int64_t* sizes);

/// Returns the words for an error that CallFunction returned. Only libraries of `cuda` define it.
using ErrorTextFunction = const char* (*)(int error);

inline constexpr const char* kCallSymbol = "ridgeline_call";
inline constexpr const char* kWorkspaceSymbol = "ridgeline_workspace";
inline constexpr const char* kErrorTextSymbol = "ridgeline_error_text";

}  // namespace ridgeline::languages
