#include "engine/oracle/oracle_process.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"
#include "engine/oracle/child.hpp"
#include "engine/oracle/texts.hpp"

namespace ridgeline::oracle {
namespace {

using nlohmann::json;

std::string line_of(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

json places_of(const std::vector<TensorPlace>& places) {
  json list = json::array();
  for (const auto& place : places)
    list.push_back({{"file", place.file}, {"offset", place.offset}, {"bytes", place.bytes}});
  return list;
}

void put_memory(json& request, const TensorMemory& memory) {
  request["places"] = places_of(memory.places);
  if (!memory.device_bytes.empty()) request["device_bytes"] = memory.device_bytes;
}

json request_about(const char* what, const TaskText& task) {
  json request{{"do", what}, {"name", task.name}, {"text", task.text}};
  if (task.cast_to) request["cast_to"] = to_string(*task.cast_to);
  return request;
}

/// Reads the process's first line. Throws MachineCannot if it says that something is missing.
void read_hello(const std::string& line, const OracleSettings& settings) {
  const auto hello = json::parse(line);
  const auto missing = hello.find("missing");
  if (missing == hello.end()) return;
  const auto message = hello.value("message", "");
  if (*missing == "device")
    throw MachineCannot(
        fmt::format("torch finds no device '{}' ({}): name another one, or cpu", settings.device, message));
  throw MachineCannot(
      fmt::format("{} cannot import torch ({}): install it there (`{} -m pip install torch`), or let "
                  "RIDGELINE_PYTHON name a Python that has it",
                  hello.value("python", settings.python), message, settings.python));
}

std::string with_output(const std::string& why, const std::string& output) {
  return output.empty() ? why : why + "; its last lines: " + output;
}

}  // namespace

DType dtype_in(Precision precision, DType described) {
  if (precision == Precision::float32) return described;
  if (is_complex(described)) return DType::complex128;
  return is_floating(described) ? DType::float64 : described;
}

std::uint64_t byte_count(const TensorFact& tensor, Precision precision) {
  return byte_count(TensorFact{tensor.name, dtype_in(precision, tensor.dtype), tensor.shape, {}});
}

const char* bootstrap_text() {
  return detail::bootstrap;
}

std::string start_line(const OracleSettings& settings) {
  json texts = json::object();
  for (const auto* module = detail::oracle_modules; module->name; ++module)
    texts[std::string("ridgeline_oracle.") + module->name] = module->text;
  return line_of({{"texts", texts},
                  {"settings",
                   {{"device", settings.device},
                    {"memory_bytes", settings.memory_bytes},
                    {"threads", settings.threads}}}});
}

OracleProcess::OracleProcess(OracleSettings settings) : settings_(std::move(settings)) {}
OracleProcess::OracleProcess(OracleProcess&&) noexcept = default;
OracleProcess& OracleProcess::operator=(OracleProcess&&) noexcept = default;
OracleProcess::~OracleProcess() = default;

OracleFailure OracleProcess::end_child(FailureKind kind, const std::string& why) {
  const auto status = child_->end(kind == FailureKind::died ? 1000 : 0);
  OracleFailure failure{
      kind, kind == FailureKind::died ? with_output(why + " (" + status + ")", child_->output_tail()) : why};
  // Nobody sends signal 9 but Linux's out-of-memory killer: the limit that stops a request ends it elsewhere.
  if (kind == FailureKind::died && status == "killed by signal 9")
    failure = {FailureKind::memory, "the machine ran out of memory, and its kernel ended the oracle"};
  child_.reset();
  ready_ = loaded_ = false;
  cost_.peak_bytes = 0;  // only the process could have said
  return failure;
}

void OracleProcess::begin() {
  if (child_) return;
  child_ = std::make_unique<Child>(settings_.python, settings_.environment);
  child_->send(start_line(settings_));  // `start` notices if it has ended already
}

void OracleProcess::start() {
  const bool begun = child_ != nullptr;
  begin();
  std::string line;
  auto received = child_->receive(line, settings_.start_seconds);
  // A process started ahead may have ended while nobody needed it: that is worth one more try.
  if (begun && received == Child::Received::closed) {
    end_child(FailureKind::died, "");
    begin();
    received = child_->receive(line, settings_.start_seconds);
  }
  if (received == Child::Received::line) {
    try {
      read_hello(line, settings_);
      ready_ = true;
      return;
    } catch (...) {
      child_.reset();
      throw;
    }
  }
  const bool late = received == Child::Received::late;
  const auto failure = end_child(
      late ? FailureKind::time : FailureKind::died,
      late ? fmt::format("is not ready after {:.0f} s", settings_.start_seconds) : "does not start");
  throw MachineCannot(
      fmt::format("the oracle in '{}' {}: try `{} -c 'import torch'`, or let RIDGELINE_PYTHON "
                  "name another Python",
                  settings_.python, failure.message, settings_.python));
}

OracleResult<std::string> OracleProcess::ask(const std::string& request, std::span<const int> files,
                                             double limit) {
  if (!ready_) start();
  cost_ = {};
  child_->forget_output();  // so that a failure quotes the lines of this request
  std::string line;
  const auto received = child_->send(request, files) ? child_->receive(line, limit) : Child::Received::closed;
  if (received == Child::Received::closed) return end_child(FailureKind::died, "the oracle's process ended");
  if (received == Child::Received::late) {
    cost_.seconds = limit;
    return end_child(FailureKind::time, fmt::format("no answer within {:.0f} s", limit));
  }
  const auto reply = json::parse(line);
  cost_ = {reply.at("seconds"), reply.at("peak_bytes"), reply.at("held_bytes")};
  if (const auto failure = reply.find("failure"); failure != reply.end()) {
    const auto kind = from_name<FailureKind>(failure->at("kind").get<std::string>());
    // A kind that this version does not know is the task's fault, like most.
    return OracleFailure{kind.value_or(FailureKind::task), failure->at("message")};
  }
  return line_of(reply.at("answer"));
}

OracleResult<Description> OracleProcess::describe(const TaskText& task, double limit) {
  loaded_ = false;  // the process keeps one task at a time
  const auto answer = ask(line_of(request_about("describe", task)), {}, limit);
  if (const auto* failure = std::get_if<OracleFailure>(&answer)) return *failure;
  return json::parse(std::get<std::string>(answer)).get<Description>();
}

OracleResult<Loaded> OracleProcess::load(const TaskText& task, const Weights& weights,
                                         const TensorMemory& state, double limit) {
  loaded_ = false;
  auto request = request_about("load", task);
  request["weights_seed"] = weights.seed;
  if (!weights.drawn_on.empty()) request["weights_on"] = weights.drawn_on;
  put_memory(request, state);
  const auto answer = ask(line_of(request), state.files, limit);
  if (const auto* failure = std::get_if<OracleFailure>(&answer)) return *failure;
  loaded_ = true;
  return Loaded{};
}

OracleResult<Drawn> OracleProcess::draw(std::uint64_t inputs_seed, const TensorMemory& inputs, double limit) {
  json request{{"do", "draw"}, {"inputs_seed", inputs_seed}};
  put_memory(request, inputs);
  const auto answer = ask(line_of(request), inputs.files, limit);
  if (const auto* failure = std::get_if<OracleFailure>(&answer)) return *failure;
  return Drawn{};
}

OracleResult<Drawn> OracleProcess::draw_shapes(std::uint64_t input_bytes, double limit) {
  const auto answer =
      ask(line_of({{"do", "draw_shapes"}, {"inputs_seed", 0}, {"bytes", input_bytes}}), {}, limit);
  if (const auto* failure = std::get_if<OracleFailure>(&answer)) return *failure;
  return Drawn{};
}

OracleResult<RunResult> OracleProcess::run(const RunRequest& request, const TensorMemory& memory,
                                           double limit) {
  json line{{"do", "run"},
            {"precision", to_string(request.precision)},
            {"seed", request.seed},
            {"arguments", to_string(request.arguments)}};
  if (request.rows > 0) {
    line["rows"] = request.rows;
    line["batched"] = request.batched;
  }
  put_memory(line, memory);
  const auto answer = ask(line_of(line), memory.files, limit);
  if (const auto* failure = std::get_if<OracleFailure>(&answer)) return *failure;
  return RunResult{json::parse(std::get<std::string>(answer)).at("forward_seconds")};
}

OracleResult<CheckFacts> OracleProcess::check(const TaskText& task, bool with_float64, double seconds) {
  loaded_ = false;
  auto request = request_about("check", task);
  request["seconds"] = seconds;
  request["float64"] = with_float64;
  const auto answer = ask(line_of(request), {}, seconds);
  if (const auto* failure = std::get_if<OracleFailure>(&answer)) return *failure;
  return json::parse(std::get<std::string>(answer)).get<CheckFacts>();
}

OracleResult<ScaledText> OracleProcess::scale(const TaskText& task, std::int64_t divisor, double limit) {
  loaded_ = false;
  auto request = request_about("scale", task);
  request["divisor"] = divisor;
  const auto answer = ask(line_of(request), {}, limit);
  if (const auto* failure = std::get_if<OracleFailure>(&answer)) return *failure;
  const auto reply = json::parse(std::get<std::string>(answer));
  ScaledText scaled{reply.at("text"), {}};
  for (const auto& one : reply.at("changed"))
    scaled.changed.push_back({one.at("name"), one.at("from"), one.at("to")});
  return scaled;
}

OracleResult<Harvest> OracleProcess::harvest(const TestedText& text, double limit) {
  loaded_ = false;
  auto request = request_about("harvest", {text.name, text.reference, {}});
  request["test"] = text.test;
  request["entry"] = text.entry;
  request["support"] = text.support;
  const auto answer = ask(line_of(request), {}, limit);
  if (const auto* failure = std::get_if<OracleFailure>(&answer)) return *failure;
  return json::parse(std::get<std::string>(answer)).get<Harvest>();
}

}  // namespace ridgeline::oracle
