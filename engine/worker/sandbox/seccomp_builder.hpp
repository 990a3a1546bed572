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

/// Owns a libseccomp context for this machine's architecture. The filter kills a process that makes a call by
/// another architecture's numbers (32-bit and x32 calls on x86-64). Each member throws MachineCannot where
/// libseccomp fails. Threads: one.
class Builder {
 public:
  /// `default_action`: for every call without a rule.
  explicit Builder(std::uint32_t default_action);

  /// Adds a rule that holds where all comparisons do. Adds none for a call that this architecture lacks. A
  /// call that is newer than libseccomp gets its number from the table in seccomp_builder.cpp; any other
  /// name throws MachineCannot, since a deny list without it would allow the call.
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
