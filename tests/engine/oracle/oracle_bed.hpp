// An oracle on the Python that the build found, and memory for its tensors.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "engine/core/file_descriptor.hpp"
#include "tests/engine/oracle/tasks.hpp"

namespace ridgeline::oracle {

inline constexpr double patience = 240;  ///< seconds that a request may take where both cores are busy

/// One memory file, tensors one after the other.
class Shelf {
 public:
  void add(std::uint64_t bytes) {
    const std::uint64_t offset = (size_ + 63) / 64 * 64;
    places_.push_back({0, offset, bytes});
    size_ = offset + bytes;
  }
  void add(const std::vector<TensorFact>& tensors, Precision precision = Precision::float32) {
    for (const auto& tensor : tensors) add(byte_count(tensor, precision));
  }
  void add_state(const Description& task, Precision precision = Precision::float32) {
    for (const auto& one : task.state) add(byte_count(one.tensor, precision));
  }

  /// To be called once, after the last `add`.
  TensorMemory memory() {
    file_.reset(::memfd_create("shelf", MFD_CLOEXEC));
    if (::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) ADD_FAILURE() << "no memory file";
    return {{file_.get()}, places_};
  }

  template <class T>
  void write(std::size_t place, const std::vector<T>& values) {
    const auto bytes = places_.at(place).bytes;
    ASSERT_EQ(values.size() * sizeof(T), bytes);
    ASSERT_EQ(::pwrite(file_.get(), values.data(), bytes, static_cast<off_t>(places_.at(place).offset)),
              static_cast<ssize_t>(bytes));
  }

  template <class T>
  std::vector<T> read(std::size_t place) const {
    std::vector<T> values(places_.at(place).bytes / sizeof(T));
    const auto bytes = places_.at(place).bytes;
    EXPECT_EQ(::pread(file_.get(), values.data(), bytes, static_cast<off_t>(places_.at(place).offset)),
              static_cast<ssize_t>(bytes));
    return values;
  }

 private:
  FileDescriptor file_;
  std::uint64_t size_ = 0;
  std::vector<TensorPlace> places_;
};

/// One process for all tests of a program: importing torch takes seconds. Tests that end it have it started
/// anew, and each describes or loads what it needs.
inline OracleProcess& shared_oracle() {
  static OracleProcess process{test_settings(RIDGELINE_PYTHON)};
  return process;
}

/// The answer, or a failure of the test and a value made from nothing.
template <class T>
T value_of(const OracleResult<T>& answer) {
  if (const auto* value = std::get_if<T>(&answer)) return *value;
  ADD_FAILURE() << std::get<OracleFailure>(answer).message;
  return {};
}

/// "task: message" of a failure.
template <class T>
std::string failure_of(const OracleResult<T>& answer) {
  const auto* failure = std::get_if<OracleFailure>(&answer);
  return failure ? std::string(to_string(failure->kind)) + ": " + failure->message : "an answer";
}

inline Description described(const TaskText& task) {
  return value_of(shared_oracle().describe(task, patience));
}

}  // namespace ridgeline::oracle
