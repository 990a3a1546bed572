// How the judge starts an interpreter as a runner: PROGRAM -I -B -c kStart LIBRARY [cuda:N
// [counters:LIBCUPTI]].
#pragma once

namespace ridgeline::runner::python {

/// All else of the package comes out of the library, so both are of one build.
inline constexpr const char* kStart =
    "import ctypes, sys\n"
    "library = ctypes.CDLL(sys.argv[1])\n"
    "library.ridgeline_python_text.restype = ctypes.c_char_p\n"
    "exec(library.ridgeline_python_text(b'bootstrap').decode())\n";

}  // namespace ridgeline::runner::python
