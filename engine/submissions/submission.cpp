#include "engine/submissions/submission.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/core/error.hpp"
#include "engine/core/nearest.hpp"
#include "engine/core/one_line.hpp"

namespace ridgeline::submissions {
namespace {

using suites::kernelbenchx::Clone;
using suites::kernelbenchx::TaskFile;

constexpr std::size_t kMostTold = 20;  // bad lines in a message

void remove_all(std::string& text, std::string_view part) {
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

/// Removes what Python's str.strip() removes of ASCII.
std::string stripped_ends(const std::string& text) {
  constexpr std::string_view space = " \t\n\r\v\f\x1c\x1d\x1e\x1f";
  const auto first = text.find_first_not_of(space);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

/// KernelBench-X's scripts go by the file's name alone, wherever it lies.
const TaskFile* task_by_base_name(const Clone& clone, const std::string& file) {
  const auto name = std::filesystem::path(file).filename().string();
  const auto found =
      std::ranges::find_if(clone.tasks, [&](const TaskFile& task) { return task.name + ".py" == name; });
  return found == clone.tasks.end() ? nullptr : &*found;
}

std::string unknown_task(const Clone& clone, const std::string& file) {
  std::vector<std::string> names;
  for (const auto& task : clone.tasks) {
    names.push_back(task.file);
    names.push_back(task.name + ".py");
  }
  const auto nearest = nearest_name(file, names);
  return fmt::format("the clone has no task \"{}\"; {}", in_one_line(file),
                     nearest.empty()
                         ? std::string("`ridgeline tasks list --suite kernelbenchx:PATH` lists them")
                         : fmt::format("did you mean \"{}\"?", nearest));
}

/// Reads one line into `submission`. Returns what is wrong with it, or "".
std::string read_line(const std::string& line, const Clone& clone, Submission& submission) {
  const auto document = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object())
    return R"(is no JSON object; write {"predict": "<the answer>", "file": "Category/name.py"})";
  const auto predict = document.find("predict");
  if (predict == document.end() || !predict->is_string())
    return "has no text \"predict\"; give the model's answer there (\"\" for none)";
  const auto file = document.find("file");
  if (file == document.end() || !file->is_string())
    return "has no text \"file\"; name the task there, as \"Math/abs.py\" (tasks are not guessed from "
           "\"instruction\")";
  submission.task = task_by_base_name(clone, file->get<std::string>());
  if (!submission.task) return unknown_task(clone, file->get<std::string>());
  submission.file = submission.task->file;
  submission.stem = submission.task->name;
  submission.code = answer_text(predict->get<std::string>());
  return "";
}

}  // namespace

std::string answer_text(std::string_view predict) {
  constexpr std::string_view python = "```python", fence = "```";
  if (const auto begin = predict.find(python); begin != std::string_view::npos)
    predict.remove_prefix(begin + python.size());
  std::string text(predict.substr(0, predict.find(fence)));
  for (const auto* token : {"<|im_end|>", "<|EOT|>"}) remove_all(text, token);
  return stripped_ends(text);
}

std::vector<Submission> read_submissions(const std::string& name, std::string_view text, const Clone& clone) {
  std::vector<Submission> submissions;
  std::vector<std::string> bad;
  std::map<std::string, int> lines;  // of each task
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const std::string line(text.substr(begin, end - begin));
    begin = end + 1;
    ++number;
    if (stripped_ends(line).empty()) continue;
    Submission submission;
    submission.line = number;
    auto problem = read_line(line, clone, submission);
    if (problem.empty())
      if (const auto [first, is_new] = lines.emplace(submission.file, number); !is_new)
        problem = fmt::format(
            "answers {} again, as line {} did; metrics.json has one entry a task: keep one, or "
            "score the other into a folder of its own",
            submission.file, first->second);
    if (problem.empty())
      submissions.push_back(std::move(submission));
    else
      bad.push_back(fmt::format("line {} {}", number, problem));
  }
  if (submissions.empty() && bad.empty())
    throw BadInput(name + R"(: has no line; write one {"predict": …, "file": "Category/name.py"} a task)");
  if (bad.empty()) return submissions;
  const auto count = bad.size();
  if (count > kMostTold) bad.resize(kMostTold);
  auto message = fmt::format("{}: {} of its lines cannot be scored, so nothing was run", name, count);
  for (const auto& problem : bad) message += "\n  " + problem;
  if (count > kMostTold) message += fmt::format("\n  and {} more", count - kMostTold);
  throw BadInput(message);
}

}  // namespace ridgeline::submissions
