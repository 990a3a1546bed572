// Declares the oracle's Python modules as compiled-in texts. CMakeLists.txt generates them from
// ridgeline_oracle/*.py and engine/python/shared/*.py.
#pragma once

namespace ridgeline::oracle::detail {

struct OracleModule {
  const char* name;  ///< its name within the package, without ".py"; null after the last module
  const char* text;  ///< null after the last module
};

/// The text of ridgeline_oracle/bootstrap.py, which is not among the modules.
extern const char* const bootstrap;
extern const OracleModule oracle_modules[];

}  // namespace ridgeline::oracle::detail
