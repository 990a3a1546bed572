// Says how an interpreter is started as a runner, by the judge: PROGRAM -I -B -c kStart LIBRARY [cuda:N
// [counters:LIBCUPTI]]; or as the recorder of what answers have built (languages/torch_answer/recorder.hpp),
// by the agent: PROGRAM -I -B -c kStart LIBRARY and kRecord; or to compile an answer's kernels ahead
// (languages/torch_answer/triton_compiler.hpp): … kAhead JOB FOLDER REPORT ARCHITECTURE, and kWaits where the
// job comes later, told by a word on descriptor 3.
#pragma once

namespace ridgeline::runner::python {

/// All else of the package comes out of the library, so both are of one build.
inline constexpr const char* kStart =
    "import ctypes, sys\n"
    "library = ctypes.CDLL(sys.argv[1])\n"
    "library.ridgeline_python_text.restype = ctypes.c_char_p\n"
    "exec(library.ridgeline_python_text(b'bootstrap').decode())\n";
inline constexpr const char* kRecord = "record";
inline constexpr const char* kAhead = "ahead";
inline constexpr const char* kWaits = "waits";

}  // namespace ridgeline::runner::python
