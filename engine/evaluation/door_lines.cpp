#include "engine/evaluation/door_lines.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
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

std::string languages() {
  std::string text;
  for (const auto& name : all_names<Language>()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::variant<DoorRequest, DoorError> read_door_line(std::string_view text, std::size_t line,
                                                    const TaskLookup& lookup) {
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
  for (const char* key : {"task", "source"})
    if (auto what = no_string(document, key)) return refuse(std::move(*what));
  const auto name = document.value("language", json("cpp"));
  const auto language = name.is_string() ? from_name<Language>(name.get<std::string>()) : std::nullopt;
  if (!language) return refuse(fmt::format("{} is no language; there are: {}", dump_json(name), languages()));
  try {
    const auto task = lookup(document["task"].get<std::string>());
    return DoorRequest{problem.id,
                       std::make_shared<const Task>(on_backend(*task, backend_of(*task, *language))),
                       make_candidate(*language, document["source"].get<std::string>())};
  } catch (const BadInput& error) {
    return refuse(error.what());
  }
}

std::string write_door_verdict(const DoorRequest& request, const Verdict& verdict) {
  const auto failed = verdict.failed_at();
  const json document = {{"schema", door_schema},
                         {"id", id_value(request.id)},
                         {"task", request.task->name},
                         {"candidate", request.candidate.hash},
                         {"compiled", verdict.compiled()},
                         {"correct", verdict.correct()},
                         {"failed_at", failed ? json(to_string(*failed)) : json(nullptr)},
                         {"status", failed ? json(to_string(verdict.at(*failed).status)) : json("passed")},
                         {"reason", failed ? json(to_string(verdict.at(*failed).reason)) : json("none")},
                         {"speedup", verdict.speedup()},
                         {"reward", reward(verdict)},
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
