// A judge for tests: this test program itself, started under a name that says how it behaves.
#pragma once

#include <filesystem>
#include <string>

namespace ridgeline::agent {

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
///   good     describes itself (its pid as the version of torch, its environment as shortfalls), passes
///   everything dies     ends with status 3 at the first request garbage  answers requests with a greeting
///   silent   never answers a request
std::string fake_judge(const TemporaryFolder& folder, const std::string& how);

}  // namespace ridgeline::agent
