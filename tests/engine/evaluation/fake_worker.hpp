// A worker for tests: this test program itself, started under a name that says how it behaves.
#pragma once

#include <filesystem>
#include <string>

namespace ridgeline::evaluation {

/// A folder of its own under the temporary one, removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;  // it would be removed twice
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path path;
};

/// A program in `folder` that behaves as `how`:
///   good       answers at once; the verdict's device is its pid, its build log its environment
///   backwards  answers three requests in reverse order
///   dies       says why on stderr and ends with status 3 at the first request
///   dies-once  the same, but only the first process of this folder
///   stalls     says hello and never answers
///   garbage    answers with a line of text
///   greeting   prints a greeting before its hello
///   mute       never says hello
///   fails      ends before its hello
///   fails-once the same, but only the first process of this folder
///   newer      speaks a later protocol
///   poor       has no isolation and no language
///   swaps      answers with the verdict of another candidate
///   cannot     answers Failed
std::string fake_worker(const TemporaryFolder& folder, const std::string& how);

}  // namespace ridgeline::evaluation
