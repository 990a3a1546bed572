// The port for suites: where tasks come from, and all that campaigns and commands ask of such a place.
//
// A `SuiteKind` opens suites; a `Suite` is an opened one with the tasks that were chosen from it. The kinds
// that there are stand in registry.cpp. docs/extending.md, "A suite", walks through adding one.
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

/// A task as its suite lists it: nothing was run to know this.
struct ListedTask {
  std::string file;            ///< as the suite names it: "level1/23_Softmax"
  std::string name;            ///< as trajectories and kernels name it: "level1_23_Softmax"
  std::string category;        ///< what tables group by: "level1"
  std::filesystem::path path;  ///< of its file; empty where there is none
};

/// `ridgeline tasks list`: a table for people, and a document a task for programs.
struct Listing {
  std::string suite;                           ///< its name; of a folder of the user's own, that folder's
  std::vector<std::string> header;             ///< of the table; empty: the rows are printed as they are
  std::vector<std::vector<std::string>> rows;  ///< one a task
  std::string footer;                          ///< a line below the table, or ""
  nlohmann::json documents = nlohmann::json::array();  ///< one a task
};

/// `ridgeline tasks show` of a file that is not in Ridgeline's own format: the file, as it is.
struct SourceFile {
  std::filesystem::path path;
  std::string text;
  nlohmann::json document;  ///< the text with what is known of the file
};
/// A task whose data people can read, or the suite's own files.
using Shown = std::variant<Task, std::vector<SourceFile>>;

/// Where a task will be judged, and where the suite may try it until then.
struct Examination {
  std::string backend;  ///< "cpu" or "cuda": the device that judges
  std::string device;   ///< "cpu" or "cuda:<index>": a device of this machine
};

/// What is known of a task before anybody answers it.
struct Finding {
  Standing standing = Standing::ok;
  std::string reason;              ///< "" for ok and unchecked
  std::vector<std::string> notes;  ///< worth knowing, and no reason against the task
  std::optional<Task> task;        ///< only of a standing that can be judged
};

/// A worker's word on a task, as the protocol has it.
using ProofOutcome = std::variant<protocol::Checked, protocol::Failed>;
using OnProof = std::function<void(const Task&, const ProofOutcome&)>;
/// Has a worker prove the tasks, and tells of each as it ends, in any order. The worker is started by the
/// first call.
using Prove = std::function<void(const std::vector<Task>&, const OnProof&)>;

/// One task of `ridgeline tasks check`.
struct CheckedTask {
  std::string text;  ///< lines for people
  nlohmann::json document;
  std::size_t total = 0;  ///< the number of tasks that are checked
};
using OnCheck = std::function<void(const CheckedTask&)>;

struct CheckSummary {
  int status = 0;                                     ///< the exit status
  std::string error;                                  ///< what the command ends with; "": nothing
  std::string text;                                   ///< a last line for people, or ""
  nlohmann::json members = nlohmann::json::object();  ///< what the document says beside `passed` and `tasks`
};

class Suite {
 public:
  virtual ~Suite() = default;

  /// Lives as long as the program.
  virtual const Profile& profile() const = 0;
  virtual Proof proof() const { return Proof::suite; }

  // Names are what users write: each suite says which forms of a name it knows. Every function that takes one
  // throws BadInput with the nearest name where it means none.

  /// The tasks that were chosen, in the suite's order. Throws BadInput where the suite cannot be read.
  virtual std::vector<ListedTask> list() = 0;
  virtual Listing listing() = 0;
  /// `name` may mean several files, where the suite has patterns.
  virtual Shown show(const std::string& name) = 0;
  /// Throws BadInput also where `name` means several tasks.
  virtual ListedTask find(const std::string& name) = 0;

  /// Begins to start what `describe` needs, without waiting for it.
  virtual void begin() {}
  /// The task as data, for `backend`; with "" for every device that its cases name. Throws BadInput where
  /// there is no such task, or it cannot be put to a kernel.
  virtual std::shared_ptr<const Task> describe(const std::string& name, std::string_view backend) = 0;

  /// What `describe` does, with what a campaign must know of a task that is not sound. Where `proof` is
  /// Proof::suite, the file is tried first, unless `only_describes`; what cannot be judged is a finding.
  /// `text` is the file's, as the caller read it.
  virtual Finding examine(const ListedTask& task, const std::string& /*text*/, const Examination& where) {
    return {Standing::ok, "", {}, *describe(task.name, where.backend)};
  }
  /// Ends the processes that `describe` and `examine` started: a campaign must time nothing beside them. The
  /// next call starts them again.
  virtual void end_processes() {}
  /// The file's text: where it changed, a finding of an earlier run holds no more.
  virtual std::string text(const ListedTask&) { return ""; }
  virtual bool only_describes() const { return false; }

  /// What `ridgeline tasks check` does: tries each task that `names` mean, all if there are none.
  virtual CheckSummary check(const std::vector<std::string>& names, const Prove& prove,
                             const OnCheck& hear) = 0;
  /// The judge's complaint about the task `name`, with its place in the task's file where that is known.
  virtual std::string placed(const std::string& /*name*/, const std::string& complaint) { return complaint; }
};

/// The options that were given, by CommandOption::name.
using OptionValues = std::map<std::string, std::string>;

class SuiteKind {
 public:
  virtual ~SuiteKind() = default;
  virtual const Profile& profile() const = 0;

  /// As a command names it: `location` is what stands after "NAME:"; of the default suite a folder, or "" for
  /// the one that ships. Throws BadInput, naming option or location.
  virtual std::unique_ptr<Suite> open(const std::string& location, const OptionValues& options) const = 0;

  /// As a campaign names it, by the map `suite` with the key NAME. Reads every key there is and finishes the
  /// map; whatever is wrong is BadInput with its place in the file, before anything is spent.
  virtual std::unique_ptr<Suite> read(yaml::MapReader map) const = 0;
};

}  // namespace ridgeline::suites
