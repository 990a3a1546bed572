// The port for suites: the source of tasks, and every question that campaigns and commands ask it.
//
// A `SuiteKind` opens suites. A `Suite` is an opened one, with the tasks that were chosen from it.
// registry.cpp lists the kinds; docs/extending.md, "A suite", walks through adding one.
//
// A suite belongs to one thread. It may start trusted processes of its own, and they end with it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/standing.hpp"
#include "engine/core/task.hpp"
#include "engine/suites/profile.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::suites {

/// A task as its suite lists it, without running anything.
struct ListedTask {
  std::string file;            ///< its name in the suite: "level1/23_Softmax"
  std::string name;            ///< its name in trajectories and kernels: "level1_23_Softmax"
  std::string category;        ///< the group in tables: "level1"
  std::filesystem::path path;  ///< its file; empty if it has none
};

/// The output of `ridgeline tasks list`: a table for people, and a document for each task for programs.
struct Listing {
  std::string suite;                           ///< the suite's name, or the name of the user's own folder
  std::vector<std::string> header;             ///< the table's header; if empty, rows are printed as they are
  std::vector<std::vector<std::string>> rows;  ///< one for each task
  std::string footer;                          ///< a line below the table, or ""
  nlohmann::json documents = nlohmann::json::array();  ///< one for each task
};

/// A file that is not in Ridgeline's own format, for `ridgeline tasks show`.
struct SourceFile {
  std::filesystem::path path;
  std::string text;
  nlohmann::json document;  ///< the text with facts about the file
};
/// The output of `ridgeline tasks show`: a task in Ridgeline's format, or the suite's own files.
using Shown = std::variant<Task, std::vector<SourceFile>>;

/// Names the device that will judge a task, and the one on which the suite may try it before.
struct Examination {
  std::string backend;  ///< "cpu" or "cuda": the device that judges
  std::string device;   ///< "cpu" or "cuda:<index>": a device of this machine
};

/// The result of examining a task before anybody answers it.
struct Finding {
  Standing standing = Standing::ok;
  std::string reason;              ///< "" for ok and unchecked
  std::vector<std::string> notes;  ///< facts worth knowing that speak not against the task
  std::optional<Task> task;        ///< set only if the standing can be judged
};

/// A worker's reply about a task, as the protocol has it.
using ProofOutcome = std::variant<protocol::Checked, protocol::Failed>;
using OnProof = std::function<void(const Task&, const ProofOutcome&)>;
/// Has a worker prove the tasks, and calls back for each as it ends, in any order. The first call starts the
/// worker.
using Prove = std::function<void(const std::vector<Task>&, const OnProof&)>;

/// The result of `ridgeline tasks check` for one task.
struct CheckedTask {
  std::string text;  ///< lines for people
  nlohmann::json document;
  std::size_t total = 0;  ///< the number of tasks that are checked
};
using OnCheck = std::function<void(const CheckedTask&)>;

/// The result of `ridgeline tasks check` for all tasks.
struct CheckSummary {
  int status = 0;                                     ///< the exit status
  std::string error;                                  ///< the command's error; "" if there is none
  std::string text;                                   ///< a last line for people, or ""
  nlohmann::json members = nlohmann::json::object();  ///< members of the document beside `passed` and `tasks`
};

/// An opened suite with the tasks that were chosen from it.
class Suite {
 public:
  virtual ~Suite() = default;

  /// The profile lives as long as the program.
  virtual const Profile& profile() const = 0;
  virtual Proof proof() const { return Proof::suite; }

  // Names are what users write: each suite decides which forms of a name it accepts. Every function that
  // takes a name throws BadInput with the nearest one if no task has it.

  /// Returns the chosen tasks in the suite's order. Throws BadInput if the suite cannot be read.
  virtual std::vector<ListedTask> list() = 0;
  /// Returns the chosen tasks for `ridgeline tasks list`.
  virtual Listing listing() = 0;
  /// Returns the task or files that `name` means: several if the suite accepts patterns.
  virtual Shown show(const std::string& name) = 0;
  /// Returns the task that `name` means. Throws BadInput also if it means several.
  virtual ListedTask find(const std::string& name) = 0;

  /// Starts the processes that `describe` needs, without waiting for them.
  virtual void begin() {}
  /// Returns the task as data, for `backend`, or for every device that its cases name if that is "". Throws
  /// BadInput if there is no such task, or no kernel can be called in its place.
  virtual std::shared_ptr<const Task> describe(const std::string& name, std::string_view backend) = 0;

  /// Describes the task like `describe`, but reports an unsound task as a finding instead of throwing. If
  /// `proof` is Proof::suite, the file is tried first, unless `only_describes`. `text` is the file's, as the
  /// caller read it.
  virtual Finding examine(const ListedTask& task, const std::string& /*text*/, const Examination& where) {
    return {Standing::ok, "", {}, *describe(task.name, where.backend)};
  }
  /// Ends the processes that `describe` and `examine` started: a campaign must time nothing beside them. The
  /// next call starts them again.
  virtual void end_processes() {}
  /// Returns the file's text. If it has changed, the finding of an earlier run is no longer valid.
  virtual std::string text(const ListedTask&) { return ""; }
  /// Whether `examine` runs nothing, because the campaign asked for no check.
  virtual bool only_describes() const { return false; }

  /// Performs `ridgeline tasks check`: tries each task that `names` mean, or all if there are none.
  virtual CheckSummary check(const std::vector<std::string>& names, const Prove& prove,
                             const OnCheck& hear) = 0;
  /// Returns the judge's complaint about the task `name` with its place in the task's file, if that is known.
  virtual std::string placed(const std::string& /*name*/, const std::string& complaint) { return complaint; }
};

/// The options that were given, by CommandOption::name.
using OptionValues = std::map<std::string, std::string>;

/// Opens suites of one kind. Stateless, lives as long as the program.
class SuiteKind {
 public:
  virtual ~SuiteKind() = default;
  virtual const Profile& profile() const = 0;

  /// Opens a suite that a command names. `location` is the text after "NAME:"; for the default suite it is a
  /// folder, or "" for the one that ships. Throws BadInput that names the option or the location.
  virtual std::unique_ptr<Suite> open(const std::string& location, const OptionValues& options) const = 0;

  /// Opens a suite that a campaign names by its map `suite` with the key NAME. Reads every key and finishes
  /// the map. Throws BadInput with the place in the file, before anything is spent.
  virtual std::unique_ptr<Suite> read(yaml::MapReader map) const = 0;
};

}  // namespace ridgeline::suites
