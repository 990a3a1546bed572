#include "engine/evaluation/door_lines.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "engine/core/nearest.hpp"
#include "engine/core/reward.hpp"
#include "engine/evaluation/compiled_reference.hpp"
#include "engine/worker/protocol/frame.hpp"

namespace ridgeline::evaluation {
namespace {

using nlohmann::json;

// Returns the id as a value; null for a line whose id could not be read.
json id_value(const std::string& text) {
  return text.empty() ? json(nullptr) : json::parse(text);
}

constexpr std::string_view kRequestKeys = "a request has id, task, language and source";

struct Parsed {
  json document;
  std::optional<std::string> repeated;  ///< a key that stands twice
};

/// Parses a line and notes a key that stands twice, of which JSON readers silently keep one.
Parsed parse_line(std::string_view text) {
  Parsed parsed;
  std::set<std::string> keys;
  // Depth 1: a key that is repeated inside another value is not ours to judge.
  parsed.document = json::parse(text, [&](int depth, json::parse_event_t event, json& value) {
    if (event == json::parse_event_t::key && depth == 1 && !keys.insert(value.get<std::string>()).second)
      parsed.repeated = value.get<std::string>();
    return true;
  });
  return parsed;
}

/// Returns the parser's message without its prefix "[json.exception.parse_error.101] ".
std::string in_words(const json::exception& error) {
  const std::string_view what = error.what();
  const auto end = what.starts_with('[') ? what.find("] ") : std::string_view::npos;
  return std::string(end == std::string_view::npos ? what : what.substr(end + 2));
}

/// Returns the id in a line that is no JSON, as JSON text, so that its writer knows which request was meant;
/// "" where no id can be made out.
std::string id_in_broken(std::string_view text) {
  constexpr std::string_view key = "\"id\"", blank = " \t";
  auto at = text.find(key);
  if (at == std::string_view::npos) return "";
  at = text.find_first_not_of(blank, at + key.size());
  if (at == std::string_view::npos || text[at] != ':') return "";
  at = text.find_first_not_of(blank, at + 1);
  if (at == std::string_view::npos) return "";
  auto end = text.find_first_of(",} \t", at);
  if (text[at] == '"')
    for (end = at + 1; end < text.size() && text[end] != '"'; ++end) end += text[end] == '\\';
  const auto token = text.substr(at, end == std::string_view::npos ? end : end - at + (text[at] == '"'));
  const auto id = json::parse(token, nullptr, /*allow_exceptions=*/false);
  return id.is_string() || id.is_number() ? dump_json(id) : "";
}

/// Says which key is unknown or stands twice; nullopt where the keys are right.
std::optional<std::string> key_problem(const Parsed& parsed) {
  static const std::vector<std::string> known{"id",     "task",          "language",
                                              "source", "torch_compile", "precision_goal"};
  for (const auto& [key, value] : parsed.document.items())
    if (std::ranges::find(known, key) == known.end())
      return fmt::format("the key '{}' is unknown{}; {}", key, suggestion(key, known), kRequestKeys);
  if (parsed.repeated)
    return fmt::format("the key '{}' stands more than once: which is meant? Give it once", *parsed.repeated);
  return std::nullopt;
}

/// Says why `key` is not a string of the document; nullopt where it is one.
std::optional<std::string> string_problem(const json& document, const char* key) {
  const auto found = document.find(key);
  if (found == document.end()) return fmt::format("the key '{}' is missing; {}", key, kRequestKeys);
  if (!found->is_string()) return fmt::format("'{}' must be a string", key);
  return std::nullopt;
}

/// Returns the enumerator with the name `value`; `what` names the enumeration in a message. Throws BadInput.
template <class E>
E enumerator_named(const json& value, const char* what) {
  const auto found = value.is_string() ? from_name<E>(value.get<std::string>()) : std::nullopt;
  if (!found)
    throw BadInput(
        fmt::format("{} is no {}; there are: {}", dump_json(value), what, fmt::join(all_names<E>(), ", ")));
  return *found;
}

// Makes the request for a candidate, with the task as the backend of the candidate's language sees it.
DoorRequest candidate_of(const std::string& id, const std::shared_ptr<const Task>& task, const json& document,
                         const protocol::EvaluateSettings& settings, const ReadSource& read_source,
                         const std::string& backend) {
  const auto language = enumerator_named<Language>(document.value("language", json("cpp")), "language");
  // The door's choice of a backend only concerns languages that run on several, as triton does.
  const bool chosen = !backend.empty() && traits(language).backends.size() > 1;
  auto seen = std::make_shared<const Task>(
      for_language(*task, language, chosen ? backend : backend_of(*task, language)));
  SourceRead read{document["source"].get<std::string>(), ""};
  if (read_source) read = read_source(read.source, *seen, language);
  return {id, {std::move(seen), make_candidate(language, std::move(read.source)), settings}, read.note};
}

/// Enters the request's own goal into `settings`. Returns what is wrong with it.
std::optional<std::string> take_precision_goal(const json& document, protocol::EvaluateSettings& settings) {
  const auto goal = document.find("precision_goal");
  if (goal == document.end()) return std::nullopt;
  if (!goal->is_number() || *goal < protocol::least_precision_goal || *goal > protocol::most_precision_goal)
    return fmt::format("the key 'precision_goal' must be a number from {} to {}, such as 0.05",
                       protocol::least_precision_goal, protocol::most_precision_goal);
  settings.precision_goal = goal->get<double>();
  return std::nullopt;
}

}  // namespace

std::variant<DoorRequest, DoorError> read_door_line(std::string_view text, std::size_t line,
                                                    const TaskLookup& lookup,
                                                    const protocol::EvaluateSettings& settings,
                                                    const ReadSource& read_source,
                                                    const std::string& backend) {
  DoorError problem{"", line, ""};
  const auto refuse = [&](std::string what) {
    problem.what = std::move(what);
    return problem;
  };
  Parsed parsed;
  try {
    parsed = parse_line(text);
  } catch (const json::exception& error) {
    problem.id = id_in_broken(text);
    return refuse(fmt::format(
        "no JSON: {}; write one object a line, with quotes, backslashes and line ends escaped within strings",
        in_words(error)));
  }
  const auto& document = parsed.document;
  if (!document.is_object()) return refuse(fmt::format("no JSON object; {}", kRequestKeys));
  const auto id = document.find("id");
  const bool has_id = id != document.end() && (id->is_string() || id->is_number());
  // From here on every error carries the id, so that a trainer can match it.
  if (has_id) problem.id = dump_json(*id);
  if (auto what = key_problem(parsed)) return refuse(std::move(*what));
  if (!has_id) return refuse("the key 'id' must be there, a string or a number");
  if (auto what = string_problem(document, "task")) return refuse(std::move(*what));
  const bool compiled = document.contains("torch_compile");
  if (auto what = string_problem(document, compiled ? "torch_compile" : "source"))
    return refuse(std::move(*what));
  if (compiled && (document.contains("source") || document.contains("language")))
    return refuse("with 'torch_compile' the task's own module is judged: leave 'source' and 'language' out");
  auto own = settings;
  if (auto what = take_precision_goal(document, own)) return refuse(std::move(*what));
  try {
    auto task = lookup(document["task"].get<std::string>());
    if (!compiled) return candidate_of(problem.id, task, document, own, read_source, backend);
    const auto mode = enumerator_named<CompileMode>(document["torch_compile"], "torch_compile");
    return DoorRequest{problem.id, compiled_reference(std::move(task), mode, own), ""};
  } catch (const BadInput& error) {
    return refuse(error.what());
  }
}

std::string write_door_verdict(const DoorRequest& request, const Verdict& verdict) {
  const auto failed = verdict.failed_at();
  const auto earned = reward(verdict);
  json document = {{"schema", door_schema},
                   {"id", id_value(request.id)},
                   {"task", request.evaluation.task->name},
                   {"candidate", request.evaluation.candidate.hash},
                   {"compiled", verdict.compiled()},
                   {"judged", verdict.judged()},
                   {"retryable", verdict.retryable()},
                   // null and not false: a machine that failed says nothing about the kernel.
                   {"correct", verdict.judged() ? json(verdict.correct()) : json(nullptr)},
                   {"failed_at", failed ? json(to_string(*failed)) : json(nullptr)},
                   {"status", failed ? json(to_string(verdict.at(*failed).status)) : json("passed")},
                   {"reason", failed ? json(to_string(verdict.at(*failed).reason)) : json("none")},
                   {"speedup", verdict.scorable() ? json(verdict.speedup()) : json(nullptr)},
                   {"reward", earned ? json(*earned) : json(nullptr)},
                   {"reward_formula", reward_formula},
                   {"verdict", verdict}};
  if (!request.note.empty()) document["note"] = request.note;
  return protocol::encode_line(document);
}

std::string write_door_error(const DoorError& error) {
  const json document = {
      {"schema", door_schema}, {"id", id_value(error.id)}, {"line", error.line}, {"error", error.what}};
  return protocol::encode_line(document);
}

}  // namespace ridgeline::evaluation
