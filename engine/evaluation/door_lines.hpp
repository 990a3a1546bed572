// The lines of `ridgeline evaluate --batch -`: what a trainer writes, what it reads. Pure.
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

/// By a name of the suite or the path of a task file. Throws BadInput, whose text is the answer to the line.
using TaskLookup = std::function<std::shared_ptr<const Task>(const std::string& name_or_path)>;

/// What of a request's `source` is the kernel: trainers hand over whole answers, in fences. Throws BadInput
/// where there is none in it.
struct SourceRead {
  std::string source;
  std::string note;  ///< that and how it was taken out; "" where all of it is the kernel
};
using ReadSource = std::function<SourceRead(const std::string& source, const Task& task, Language language)>;

struct DoorRequest {
  std::string id;         ///< JSON text, given back as it came: a string or a number
  EvaluateRequest asked;  ///< of the task as the backend of the candidate's language sees it
  std::string note;       ///< SourceRead::note
};

struct DoorError {
  std::string id;  ///< JSON text; "" where none could be read
  std::size_t line = 0;
  std::string what;
};

/// `line` counts from 1; `settings` are what every request is judged with. Keys that a request does not have,
/// and those that stand twice, are errors: a misspelt `language` would judge another language's answer.
/// Without `read_source` a source is taken as it is. `backend`: where candidates are judged whose language
/// runs on several; "": where backend_of says.
std::variant<DoorRequest, DoorError> read_door_line(std::string_view text, std::size_t line,
                                                    const TaskLookup& lookup,
                                                    const protocol::EvaluateSettings& settings,
                                                    const ReadSource& read_source = {},
                                                    const std::string& backend = "");

/// One line each, with its end.
std::string write_door_verdict(const DoorRequest& request, const Verdict& verdict);
std::string write_door_error(const DoorError& error);

}  // namespace ridgeline::evaluation
