// Finds a Python with torch on this machine, in which candidates in `torch` run.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/core/hash.hpp"

namespace ridgeline::languages {

struct PythonToolchain {
  std::string program;               // absolute; a virtual environment's own, links not followed; no shim
  std::string version;               // "3.11.7"
  std::string torch_version;         // "2.11.0+cu130"
  std::string triton_version;        // "3.6.0"; "" where there is none
  std::string package;               // torch's folder: …/site-packages/torch
  std::string triton_package;        // triton's
  std::string include;               // where Python.h is, if it is installed
  std::vector<std::string> folders;  // that it reads: its own library, that of its environment, packages
  Hash fingerprint;                  // of Python's version and torch's
};

/// Returns why candidates in triton cannot be run in it.
std::string no_triton(const PythonToolchain& python);

/// Says why there is none, and what to do about it.
struct NoPython {
  std::string reason;  // "python3 (/usr/bin/python3) has no torch"
  std::string fix;
};

using PythonSearch = std::variant<PythonToolchain, NoPython>;

/// Asks the interpreter that RIDGELINE_PYTHON names, else python3 on the PATH, in one call that does not
/// import torch: whether that works shows when a runner starts.
PythonSearch find_python();

/// Asks one program, given by a name on the PATH or a path.
PythonSearch ask_python(const std::string& name);

// Decisions, apart from I/O.

/// Reads what the interpreter said of itself. `program`: as it was called.
PythonSearch python_from_facts(const std::string& program, const std::string& facts);

}  // namespace ridgeline::languages
