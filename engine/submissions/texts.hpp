// Declares the Python modules that run submissions as compiled-in texts. CMakeLists.txt generates them from
// ridgeline_submissions/*.py and engine/python/shared/*.py.
#pragma once

namespace ridgeline::submissions::detail {

struct SubmissionModule {
  const char* name;  ///< its name within the package, without ".py"; null after the last module
  const char* text;  ///< null after the last module
};

/// The text of ridgeline_submissions/bootstrap.py, which is not among the modules.
extern const char* const bootstrap;
extern const SubmissionModule submission_modules[];

}  // namespace ridgeline::submissions::detail
