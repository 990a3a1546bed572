// A confined Python that has imported torch, and forks a process for each stage of each submission.
//
// One process at a time. One that takes too long, crashes its Python or leaves processes behind ends the
// lane's whole sandbox; the next starts another. For one thread, which must live as long as the lane.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "engine/core/file_descriptor.hpp"
#include "engine/worker/languages/python_toolchain.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::submissions {

/// Holds the settings that all lanes of a scoring share.
struct LaneSettings {
  languages::PythonToolchain python;
  sandbox::Isolation isolation = sandbox::Isolation::strict;
  std::filesystem::path clone;                        ///< absolute; read
  bool cuda = true;                                   ///< false: 'cuda' is taken for the CPU
  int device = 0;                                     ///< the GPU's number
  std::function<bool()> stop = [] { return false; };  ///< asked while a process runs, from the lane's thread
};

/// How the process of a stage ended.
struct ProcessEnd {
  enum class Kind {
    ended,    ///< by itself: `exit` and `reported` are its own
    late,     ///< it was ended after its time
    killed,   ///< a limit of the sandbox, or its Python died: `what` says which
    stopped,  ///< LaneSettings::stop
  } kind = Kind::ended;
  int exit = 0;             ///< its status, or minus the signal that ended it
  std::string stderr_head;  ///< at most 2000 characters
  nlohmann::json reported;  ///< an object; empty if it reported nothing
  std::string what;         ///< for people; "" if it ended by itself
  double seconds = 0;

  bool ok() const { return kind == Kind::ended && exit == 0; }
};

class Lane {
 public:
  /// Starts nothing yet. `folder` is the lane's own, for writing; it is there.
  Lane(LaneSettings settings, std::filesystem::path folder);

  /// Starts the Python, if it does not run, and returns what it says of itself: "torch", "triton", "radon":
  /// versions, "missing": a list. Throws MachineCannot if it does not start.
  const nlohmann::json& facts();
  /// Runs the process of a stage for at most `seconds`.
  ProcessEnd run(const nlohmann::json& request, double seconds);

 private:
  enum class Heard { line, closed, late, stopped };
  void start();
  void end();
  bool send(std::string line);
  Heard receive(std::string& line, double seconds);
  std::string last_words();

  LaneSettings settings_;
  std::filesystem::path folder_;
  std::optional<sandbox::Child> child_;
  std::optional<sandbox::ConfinedExit> exit_;
  FileDescriptor link_;
  std::string rest_;
  nlohmann::json facts_;
};

}  // namespace ridgeline::submissions
