// What the rest of Ridgeline must know of a suite, as data: so no other room asks which suite it is.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/language.hpp"
#include "engine/core/names.hpp"

namespace ridgeline::suites {

/// What the times of answers are held against.
enum class Baseline {
  libtorch,      ///< the reference, run by LibTorch inside the judge
  eager,         ///< the suite's own module, run by eager PyTorch in a runner of its own
  torch_compile  ///< the same module under torch.compile, where a campaign or a command asks for it
};
constexpr auto enum_names(Baseline) {
  return std::to_array<Name<Baseline>>({{Baseline::libtorch, "libtorch"},
                                        {Baseline::eager, "eager"},
                                        {Baseline::torch_compile, "torch_compile"}});
}

/// Who makes sure that a task can be judged before a model is asked about it.
enum class Proof {
  shipped,  ///< Ridgeline's own tests
  worker,   ///< a worker of the campaign proves each task: files that the user wrote
  suite     ///< the suite examines each file, and the store keeps what it found: files from elsewhere
};

/// How the suite's authors score answers, beside the figures that every comparison has. The public rule of
/// what is right is the judge's (`Verdict::faithful_correct`).
struct ScoringRule {
  std::string title;               ///< of its tables: "KernelBench"
  std::string group;               ///< what its tasks are grouped by, for headers: "level"
  double headline = 1;             ///< the p of fast_p in the table of the paper's shape; one of `thresholds`
  std::vector<double> thresholds;  ///< every p of fast_p, ascending: shares of tasks faster than p times
  std::vector<int> pass_counts;    ///< every k of pass@k
};

/// An option of `ridgeline tasks` that only this suite has.
struct CommandOption {
  std::string name;         ///< "--levels"
  std::string help;         ///< what `--help` says
  std::string value;        ///< what `--help` calls its value: "N,N"; "" for CLI11's own word
  bool check_only = false;  ///< an option of `tasks check` alone
};

struct Profile {
  /// In `--suite NAME:PATH`, as the key of a campaign's `suite` map, in JSON. The default suite is named by
  /// its folder alone.
  std::string name;
  std::string title;     ///< for people: "KernelBench"
  std::string location;  ///< what its path names: "a clone of KernelBench"
  /// Of the suite's own answers. `module`: references are Python modules, and answers may be modules or
  /// kernels. `kernel`: answers are kernels.
  Form form = Form::kernel;
  Language language = Language::cpp;  ///< of answers, where a campaign names none
  std::vector<Baseline> baselines;    ///< the first is always measured
  std::optional<ScoringRule> rule;    ///< adds tables of its own to comparisons
  std::vector<CommandOption> options;

  bool has_modules() const { return form == Form::module; }
  /// Whether answers may be written in `answer`.
  bool permits(Language answer) const {
    return traits(answer).answers(Form::kernel) || traits(answer).answers(form);
  }
  bool has(Baseline baseline) const { return std::ranges::find(baselines, baseline) != baselines.end(); }
};

}  // namespace ridgeline::suites
