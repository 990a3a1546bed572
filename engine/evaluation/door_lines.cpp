#include "engine/evaluation/door_lines.hpp"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "engine/evaluation/compiled_reference.hpp"
#include "engine/evaluation/reward.hpp"
#include "engine/worker/protocol/frame.hpp"

namespace ridgeline::evaluation {
namespace {

using nlohmann::json;

json id_value(const std::string& text) {
  return text.empty() ? json(nullptr) : json::parse(text);
}

/// Why `key` is no string of the document; nothing if it is one.
std::optional<std::string> no_string(const json& document, const char* key) {
  const auto found = document.find(key);
  if (found == document.end())
    return fmt::format("the key '{}' is missing; a request has id, task, language and source", key);
  if (!found->is_string()) return fmt::format("'{}' must be a string", key);
  return std::nullopt;
}

/// The enumerator that `value` names. Throws BadInput.
template <class E>
E named(const json& value, const char* what) {
  const auto found = value.is_string() ? from_name<E>(value.get<std::string>()) : std::nullopt;
  if (!found)
    throw BadInput(
        fmt::format("{} is no {}; there are: {}", dump_json(value), what, fmt::join(all_names<E>(), ", ")));
  return *found;
}

EvaluateRequest candidate_of(const std::shared_ptr<const Task>& task, const json& document,
                             const protocol::EvaluateSettings& settings) {
  const auto language = named<Language>(document.value("language", json("cpp")), "language");
  return {std::make_shared<const Task>(on_backend(*task, backend_of(*task, language))),
          make_candidate(language, document["source"].get<std::string>()), settings};
}

}  // namespace

std::variant<DoorRequest, DoorError> read_door_line(std::string_view text, std::size_t line,
                                                    const TaskLookup& lookup,
                                                    const protocol::EvaluateSettings& settings) {
  DoorError problem{"", line, ""};
  const auto refuse = [&](std::string what) {
    problem.what = std::move(what);
    return problem;
  };
  json document;
  try {
    document = json::parse(text);
  } catch (const json::exception& error) {
    return refuse(fmt::format("no JSON: {}", error.what()));
  }
  if (!document.is_object()) return refuse("a request is a JSON object with id, task, language and source");
  const auto id = document.find("id");
  if (id == document.end() || !(id->is_string() || id->is_number()))
    return refuse("the key 'id' must be there, a string or a number");
  problem.id = dump_json(*id);
  if (auto what = no_string(document, "task")) return refuse(std::move(*what));
  const bool compiled = document.contains("torch_compile");
  if (auto what = no_string(document, compiled ? "torch_compile" : "source")) return refuse(std::move(*what));
  if (compiled && (document.contains("source") || document.contains("language")))
    return refuse("with 'torch_compile' the task's own module is judged: leave 'source' and 'language' out");
  try {
    auto task = lookup(document["task"].get<std::string>());
    auto asked = compiled ? compiled_reference(std::move(task),
                                               named<CompileMode>(document["torch_compile"], "torch_compile"),
                                               settings)
                          : candidate_of(task, document, settings);
    return DoorRequest{problem.id, std::move(asked)};
  } catch (const BadInput& error) {
    return refuse(error.what());
  }
}

std::string write_door_verdict(const DoorRequest& request, const Verdict& verdict) {
  const auto failed = verdict.failed_at();
  const auto earned = reward(verdict);
  const json document = {{"schema", door_schema},
                         {"id", id_value(request.id)},
                         {"task", request.asked.task->name},
                         {"candidate", request.asked.candidate.hash},
                         {"compiled", verdict.compiled()},
                         {"judged", verdict.judged()},
                         {"retryable", verdict.retryable()},
                         {"correct", verdict.correct()},
                         {"failed_at", failed ? json(to_string(*failed)) : json(nullptr)},
                         {"status", failed ? json(to_string(verdict.at(*failed).status)) : json("passed")},
                         {"reason", failed ? json(to_string(verdict.at(*failed).reason)) : json("none")},
                         {"speedup", verdict.speedup()},
                         {"reward", earned ? json(*earned) : json(nullptr)},
                         {"reward_formula", reward_formula},
                         {"verdict", verdict}};
  return protocol::encode_line(document);
}

std::string write_door_error(const DoorError& error) {
  const json document = {
      {"schema", door_schema}, {"id", id_value(error.id)}, {"line", error.line}, {"error", error.what}};
  return protocol::encode_line(document);
}

}  // namespace ridgeline::evaluation
