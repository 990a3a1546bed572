// Describes a suite as data, so that no code outside of engine/suites asks which suite it is.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/language.hpp"
#include "engine/core/names.hpp"

namespace ridgeline::suites {

/// The computation that times of answers are compared with.
enum class Baseline {
  libtorch,      ///< the reference, run by LibTorch inside the judge
  eager,         ///< the suite's own module, run by eager PyTorch in a runner of its own
  torch_compile  ///< the same module under torch.compile, if a campaign or a command asks for it
};
constexpr auto enum_names(Baseline) {
  return std::to_array<Name<Baseline>>({{Baseline::libtorch, "libtorch"},
                                        {Baseline::eager, "eager"},
                                        {Baseline::torch_compile, "torch_compile"}});
}

/// Says who makes sure that a task can be judged, before a model is asked about it. An opened suite has it
/// (Suite::proof), not the profile: it depends on whose files they are.
enum class Proof {
  shipped,  ///< Ridgeline's own tests
  worker,   ///< a worker of the campaign proves each task, since the user wrote the files
  suite     ///< the suite examines each file, since it comes from elsewhere, and the store keeps the findings
};

/// The scoring rule of the suite's authors, beside the figures that every comparison has. The judge applies
/// their rule of what is correct (`Verdict::faithful_correct`).
struct ScoringRule {
  std::string title;               ///< heading of its tables: "KernelBench"
  std::string group;               ///< the name of its groups of tasks, for headers: "level"
  double headline = 1;             ///< the p of fast_p in the table of the paper's shape; one of `thresholds`
  std::vector<double> thresholds;  ///< every p of fast_p, ascending: shares of tasks faster than p times
  std::vector<int> pass_counts;    ///< every k of pass@k
};

/// The commands that have a suite's option.
enum class OptionOf {
  check,             ///< `tasks check` alone
  tasks,             ///< all of `tasks`
  tasks_and_answers  ///< and `evaluate`: it says what the tasks are
};

/// An option that only this suite has.
struct CommandOption {
  std::string name;   ///< "--levels"
  std::string help;   ///< its line in `--help`
  std::string value;  ///< the placeholder of its value in `--help`: "N,N"; "" for CLI11's own
  OptionOf commands = OptionOf::tasks;
};

struct Profile {
  /// Stands in `--suite NAME:PATH`, in JSON, and as the key of a campaign's map `suite`. The default suite is
  /// named by its folder alone.
  std::string name;
  std::string title;     ///< for people: "KernelBench"
  std::string location;  ///< what its path has to lead to: "a clone of KernelBench"
  /// The form that answers may have beside `kernel`. With `module`, references are Python modules and answers
  /// may be modules or kernels.
  Form form = Form::kernel;
  Language language = Language::cpp;  ///< the language of answers if a campaign names none
  std::vector<Baseline> baselines;    ///< the first is always measured, the others on request
  std::optional<ScoringRule> rule;    ///< adds tables of its own to comparisons
  std::vector<CommandOption> options;

  bool has_modules() const { return form == Form::module; }
  /// Whether answers may be written in this language.
  bool permits(Language answer) const {
    return traits(answer).answers(Form::kernel) || traits(answer).answers(form);
  }
  bool has(Baseline baseline) const { return std::ranges::find(baselines, baseline) != baselines.end(); }
};

}  // namespace ridgeline::suites
