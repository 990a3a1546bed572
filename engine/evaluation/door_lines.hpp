// The lines of `ridgeline evaluate --batch -`, as a trainer writes and reads them. No I/O.
//
//   {"id": "17", "task": "softmax", "language": "cpp", "source": "…"}
//   {"id": "18", "task": "mine/softmax.yaml", "source": "…"}
//   {"id": "19", "task": "level1/23", "torch_compile": "default"}   (compiled_reference.hpp)
//   {"schema": 1, "id": "17", "task": "softmax", "correct": true, "speedup": 1.31, "reward": 1.61, "verdict":
//   {…}, …}
//   {"schema": 1, "id": "18", "line": 2, "error": "…"}
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"
#include "engine/evaluation/evaluator.hpp"

namespace ridgeline::evaluation {

inline constexpr int door_schema = 1;

/// Finds a task by its name in a suite or by the path of its file. Throws BadInput, whose text answers the
/// line.
using TaskLookup = std::function<std::shared_ptr<const Task>(const std::string& name_or_path)>;

/// The kernel extracted from a request's `source`. Trainers send a model's whole answer, with code fences.
struct SourceRead {
  std::string source;
  std::string note;  ///< how the kernel was extracted; "" where the source is nothing else
};
/// Extracts the kernel from `source`. Throws BadInput where there is none.
using ReadSource = std::function<SourceRead(const std::string& source, const Task& task, Language language)>;

/// A line that can be judged.
struct DoorRequest {
  std::string id;              ///< JSON text of a string or a number, returned unchanged
  EvaluateRequest evaluation;  ///< of the task as the backend of the candidate's language sees it
  std::string note;            ///< SourceRead::note
};

/// The answer to a line that cannot be judged.
struct DoorError {
  std::string id;  ///< JSON text; "" where the line has none that can be read
  std::size_t line = 0;
  std::string what;
};

/// Reads line number `line`, from 1. `settings` apply to every request. An unknown key and one that stands
/// twice are errors: a misspelt `language` would have another language's answer judged. `backend` ("cpu" or
/// "cuda") is where candidates are judged whose language runs on several; "": where backend_of says.
std::variant<DoorRequest, DoorError> read_door_line(std::string_view text, std::size_t line,
                                                    const TaskLookup& lookup,
                                                    const protocol::EvaluateSettings& settings,
                                                    const ReadSource& read_source = {},
                                                    const std::string& backend = "");

/// Each writes one line with its line end.
std::string write_door_verdict(const DoorRequest& request, const Verdict& verdict);
std::string write_door_error(const DoorError& error);

}  // namespace ridgeline::evaluation
