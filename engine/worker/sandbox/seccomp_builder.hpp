// Composes a seccomp filter rule by rule with libseccomp, for the files that say which calls a process may
// make.
#pragma once

#include <seccomp.h>

#include <cstdint>
#include <initializer_list>
#include <memory>

#include "engine/worker/sandbox/seccomp_filter.hpp"

namespace ridgeline::sandbox::seccomp {

/// Compares argument number `argument` of a call.
inline scmp_arg_cmp compare(unsigned argument, scmp_compare op, std::uint64_t a, std::uint64_t b = 0) {
  return {argument, op, a, b};
}

/// Owns a libseccomp context. Calls that this architecture lacks are skipped. Each member throws
/// MachineCannot where libseccomp fails. Threads: one.
class Builder {
 public:
  /// `default_action`: for every call without a rule.
  explicit Builder(std::uint32_t default_action);

  /// The rule holds where all comparisons do.
  void rule(std::uint32_t action, const char* call, std::initializer_list<scmp_arg_cmp> when = {});
  void rules(std::uint32_t action, std::initializer_list<const char*> calls);

  /// Names the call by which a locked-down runner dies: the SIGSYS handler of lockdown.cpp ends with it.
  void add_kill_switch();

  Program finish() const;

 private:
  struct Release {
    void operator()(void* context) const { ::seccomp_release(context); }
  };
  std::unique_ptr<void, Release> context_;
};

}  // namespace ridgeline::sandbox::seccomp
