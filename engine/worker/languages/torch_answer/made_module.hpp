// Decides how one module of an answer is built: with the slim headers, or with torch's own if these do not do
// and the caller lets it. The builds are the caller's.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/torch_slim/misses.hpp"
#include "engine/worker/languages/build_result.hpp"
#include "engine/worker/languages/torch_answer/recording.hpp"
#include "engine/worker/languages/torch_extension/extension_builder.hpp"

namespace ridgeline::torch_answer {

struct MadeModule {
  std::string key, name;
  languages::BuildResult result;
  bool real_headers = false;    // torch's own were asked for, after the slim ones did not do
  std::string slim_error = {};  // the slim headers' first one; empty where they did, or nothing could
};

struct HeaderChoice {
  std::function<torch_extension::SlimBuild(const torch_extension::ExtensionRequest&)> slim;
  std::function<languages::BuildResult(const torch_extension::ExtensionRequest&)>
      real;  // empty: they may not be used, or are not here
  std::string why_not_real;
  std::function<bool(const torch_extension::NotSlim&)>
      may_help;  // whether the real ones could; empty: they could
  // The failure of a build with the real ones, where that is known without one; empty: nobody knows.
  std::function<std::optional<languages::BuildFailure>(const torch_extension::ExtensionRequest&)> known = {};
};

/// Makes the module. A failure speaks of the answer's own lines (answer_lines.hpp), `answer` being what
/// messages call it.
MadeModule make_module(const AskedModule& asked, const HeaderChoice& headers, const std::string& answer);

/// Returns how it was built, as engine/torch_slim counts it; empty if no header plays a part in its failure.
std::optional<torch_slim::Build> build_of(const MadeModule& module);

/// Returns what load_inline raises for the module; "" if it was built.
std::string error_of(const MadeModule& module);

}  // namespace ridgeline::torch_answer
