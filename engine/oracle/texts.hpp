// Declares the oracle's Python as compiled-in texts. CMakeLists.txt generates them from
// ridgeline_oracle/*.py.
#pragma once

namespace ridgeline::oracle::detail {

struct OracleModule {
  const char* name;  ///< its name in the package; null after the last module
  const char* text;
};

extern const char* const bootstrap;
extern const OracleModule oracle_modules[];

}  // namespace ridgeline::oracle::detail
