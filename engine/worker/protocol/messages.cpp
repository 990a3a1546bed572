#include "engine/worker/protocol/messages.hpp"

#include "engine/core/codec.hpp"
#include "engine/core/json_fields.hpp"

namespace ridgeline::protocol {

using nlohmann::json;

RIDGELINE_FIELDS(Toolchain, name, version, path, language, flags)
RIDGELINE_FIELDS(Device, name, backend, index, memory_bytes, architecture, uuid, bus_id)
RIDGELINE_FIELDS(IsolationOffer, level, details, missing)
RIDGELINE_FIELDS(Counters, readable, why_not)

namespace {

// Settings without those that are written only where they are present.
struct PlainSettings : EvaluateSettings {};
RIDGELINE_FIELDS(PlainSettings, isolation, time, profile, timing_cap_seconds, call_limit_seconds,
                 hidden_cases, final_cases, build_flags, counters, torch_headers, energy, fallback,
                 torch_compile)

}  // namespace

void to_json(json& out, const EvaluateSettings& settings) {
  out = PlainSettings{settings};
  if (settings.precision_goal) out["precision_goal"] = *settings.precision_goal;
  if (settings.all_counters) out["all_counters"] = true;
}

void from_json(const json& in, EvaluateSettings& settings) {
  static_cast<EvaluateSettings&>(settings) = in.get<PlainSettings>();
  settings.precision_goal = read_json(in, "precision_goal", std::optional<double>());
  settings.all_counters = read_json(in, "all_counters", false);
}

RIDGELINE_FIELDS(Evaluate, id, task, candidate, settings)
RIDGELINE_FIELDS(CheckTask, id, task)
RIDGELINE_FIELDS(ExpectModules, id, backend)
RIDGELINE_FIELDS(Cancel, id)
RIDGELINE_FIELDS(Hello, protocol, ridgeline, host, backends, languages, devices, toolchains, torch, isolation,
                 counters, ceilings, shortfalls, window, plan)
RIDGELINE_FIELDS(Evaluated, id, verdict)
RIDGELINE_FIELDS(CheckItem, name, passed, message)
RIDGELINE_FIELDS(Checked, id, items)
RIDGELINE_FIELDS(Failed, id, kind, message)
RIDGELINE_FIELDS(JudgeRequest, id, task, artefact, candidate, settings)
RIDGELINE_FIELDS(Judged, id, verdict)
RIDGELINE_FIELDS(Prepare, id, task, candidate, settings)
RIDGELINE_FIELDS(Prepared, id)
RIDGELINE_FIELDS(Describe, id)
RIDGELINE_FIELDS(Described, id, torch, backends, devices, counters, ceilings, shortfalls)

// Quit has no fields, which RIDGELINE_FIELDS cannot express.
void to_json(json& out, const Quit&) {
  out = json::object();
}
void from_json(const json&, Quit&) {}

namespace {

/// A message's type on the wire, and the keys that it must have.
template <class Message>
struct Wire;
#define RIDGELINE_WIRE(Message, word, ...)                                    \
  template <>                                                                 \
  struct Wire<Message> {                                                      \
    static constexpr std::string_view type = word;                            \
    static constexpr std::initializer_list<const char*> keys = {__VA_ARGS__}; \
  }
RIDGELINE_WIRE(Evaluate, "evaluate", "id", "task", "candidate");
RIDGELINE_WIRE(CheckTask, "check_task", "id", "task");
RIDGELINE_WIRE(ExpectModules, "expect_modules", "backend");
RIDGELINE_WIRE(Cancel, "cancel", "id");
RIDGELINE_WIRE(Quit, "quit", "type");
RIDGELINE_WIRE(Hello, "hello", "isolation", "languages");
RIDGELINE_WIRE(Evaluated, "evaluated", "id", "verdict");
RIDGELINE_WIRE(Checked, "checked", "id", "items");
RIDGELINE_WIRE(Failed, "failed", "id", "kind", "message");
RIDGELINE_WIRE(JudgeRequest, "judge", "id", "task", "artefact", "candidate");
RIDGELINE_WIRE(Judged, "judged", "id", "verdict");
RIDGELINE_WIRE(Prepare, "prepare", "id", "task", "candidate");
RIDGELINE_WIRE(Prepared, "prepared", "id");
RIDGELINE_WIRE(Describe, "describe", "id");
RIDGELINE_WIRE(Described, "described", "id");
#undef RIDGELINE_WIRE

template <class... Messages>
json encode_message(const std::variant<Messages...>& message) {
  return std::visit(
      []<class M>(const M& m) {
        json document = m;
        // In every message, since a mailbox file may mix lines of two versions.
        document["protocol"] = version;
        document["type"] = Wire<M>::type;
        return document;
      },
      message);
}

void check_protocol(const json& document) {
  const auto protocol = document.find("protocol");
  // Checked before the type, so that a newer program gets the advice to update and no riddle about its keys.
  if (protocol == document.end() || !protocol->is_number_integer())
    throw ProtocolError("a message without a protocol version: is the program at the other end ridgeline's?");
  if (const auto theirs = protocol->get<long long>(); theirs != version)
    throw ProtocolError("the other side speaks protocol " + std::to_string(theirs) + ", this one speaks " +
                        std::to_string(version) +
                        ": install the same version of Ridgeline on both machines (the " +
                        (theirs > version ? "other" : "one here") + " is newer)");
}

template <class Message>
Message decode_as(const json& document) {
  // Checked by hand: missing optional keys keep their defaults, so the conversion alone would not notice.
  for (const char* key : Wire<Message>::keys)
    if (!document.contains(key))
      throw ProtocolError("a message '" + std::string(Wire<Message>::type) + "' without the key '" + key +
                          "'");
  try {
    return document.get<Message>();
  } catch (const json::exception& error) {
    throw ProtocolError("a message '" + std::string(Wire<Message>::type) + "' is malformed: " + error.what());
  } catch (const Error& error) {
    throw ProtocolError("a message '" + std::string(Wire<Message>::type) + "' is malformed: " + error.what());
  }
}

/// Finds the alternative whose type the document names. The null pointer only carries the variant's type.
template <class... Messages>
std::variant<Messages...> decode_message(const json& document, std::variant<Messages...>*) {
  if (!document.is_object()) throw ProtocolError("a message is no JSON object");
  check_protocol(document);
  const auto type = document.find("type");
  if (type == document.end() || !type->is_string()) throw ProtocolError("a message without a type");
  // A fold over the alternatives; exactly one type can match the name.
  std::optional<std::variant<Messages...>> decoded;
  const auto name = type->get<std::string>();
  ((name == Wire<Messages>::type ? void(decoded = decode_as<Messages>(document)) : void()), ...);
  if (decoded) return std::move(*decoded);
  std::string known;
  ((known += (known.empty() ? "" : ", ") + std::string(Wire<Messages>::type)), ...);
  throw ProtocolError("a message of the unknown type '" + name + "'; understood here: " + known);
}

}  // namespace

json encode(const ToWorker& message) {
  return encode_message(message);
}
json encode(const FromWorker& message) {
  return encode_message(message);
}
json encode(const ToJudge& message) {
  return encode_message(message);
}
json encode(const FromJudge& message) {
  return encode_message(message);
}

ToWorker decode_to_worker(const json& document) {
  return decode_message(document, static_cast<ToWorker*>(nullptr));
}
FromWorker decode_from_worker(const json& document) {
  return decode_message(document, static_cast<FromWorker*>(nullptr));
}
ToJudge decode_to_judge(const json& document) {
  return decode_message(document, static_cast<ToJudge*>(nullptr));
}
FromJudge decode_from_judge(const json& document) {
  return decode_message(document, static_cast<FromJudge*>(nullptr));
}

std::string id_of(const json& document) {
  if (!document.is_object()) return "";
  const auto id = document.find("id");
  return id != document.end() && id->is_string() ? id->get<std::string>() : "";
}

}  // namespace ridgeline::protocol
