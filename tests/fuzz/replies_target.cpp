// A runner's packets, and all that a judge makes of them without I/O: a verdict that its frame can carry.
#include <array>
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/core/one_line.hpp"
#include "engine/core/task.hpp"
#include "engine/worker/judge/correctness/fallback.hpp"
#include "engine/worker/judge/runners/call_failure.hpp"
#include "engine/worker/judge/runners/reply_reader.hpp"
#include "engine/worker/judge/sampling/batch_evidence.hpp"
#include "engine/worker/judge/sampling/cuda_evidence.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "tests/engine/worker/judge/arenas/placed_arena.hpp"
#include "tests/fuzz/bytes.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/fuzz/verdict_way.hpp"

namespace ridgeline::fuzz {
namespace {

using namespace judge;
using runner::Reply;

const Task& scale_task() {
  static const Task task = [] {
    Task made;
    made.name = "scale";
    made.sizes = {"n"};
    made.parameters = {Tensor{.name = "x", .shape = {Expression::parse("n")}},
                       Tensor{.name = "y", .role = Role::out, .shape = {Expression::parse("n")}}};
    made.cases = {{.name = "small", .sizes = {{"n", 1000}}}};
    return made;
  }();
  return task;
}

/// A reply of a few bytes: what is not taken from them is zero.
Reply taken_reply(Bytes& bytes) {
  Reply reply;
  reply.answer = static_cast<runner::Answer>(bytes.below(12));
  reply.code = bytes.number<std::int32_t>();
  reply.ticks = bytes.number<std::uint64_t>();
  reply.device_seconds = bytes.real();
  reply.fault_address = bytes.number<std::uint64_t>();
  reply.fault_offset = bytes.number<std::uint64_t>();
  for (std::size_t i = 0; i < 3; ++i) reply.bases[i] = bytes.number<std::uint64_t>();
  reply.text_bytes = bytes.number<std::uint32_t>();
  const auto text = bytes.text(bytes.below(1025));
  text.copy(reply.text.data(), reply.text.size());
  return reply;
}

std::optional<Reply> next_reply(Bytes& bytes, bool plain) {
  if (plain) return read_reply(std::as_bytes(std::span(bytes.text(sizeof(Reply)))));
  const auto reply = taken_reply(bytes);
  return read_reply(std::as_bytes(std::span(&reply, 1)));
}

RunnerExit taken_exit(Bytes& bytes, const Reply& last) {
  constexpr int codes[] = {0, 1, SIGSEGV, SIGBUS, SIGILL, SIGKILL, SIGSYS, 300};
  RunnerExit exit;
  exit.cause = static_cast<RunnerExit::Cause>(bytes.below(5));
  exit.outcome.ending = static_cast<sandbox::Ending>(bytes.below(10));
  exit.outcome.code = codes[bytes.below(std::size(codes))];
  exit.outcome.refused_call = bytes.text(bytes.below(16));
  exit.outcome.err = bytes.text(bytes.below(256));
  if (bytes.below(2) == 1) exit.fault = last;
  return exit;
}

void set_stages(Verdict& verdict, const Reply& reply, Bytes& bytes) {
  static const PlacedArena read_only(scale_task(), scale_task().cases[0], /*kernels_may_write=*/false);
  static const PlacedArena writable(scale_task(), scale_task().cases[0], /*kernels_may_write=*/true);
  constexpr std::array<const PlacedArena*, 4> mapped{nullptr, &writable, &read_only, &read_only};
  const std::string_view text{reply.text.data(), reply.text_bytes};
  const auto exit = taken_exit(bytes, reply);
  const auto end = explain_end(exit, 2, reply, mapped[bytes.below(4)], scale_task());
  verdict.at(Stage::call) = end.result;
  verdict.call_failure = end.failure;
  verdict.at(Stage::build) = explain_refusal(reply, bytes.below(2) == 0);
  verdict.at(Stage::correctness) = {.status = Status::passed};
  const auto operators = operators_in_words(text);
  require(operators.size() <= 2 * reply.text.size(), "operators take no more room than the reply");
  judge_fallback(static_cast<FallbackPolicy>(bytes.below(3)), operators, verdict);
  verdict.notes.push_back(in_one_line(text));
}

BatchTimes taken_times(const Reply& reply, double wall) {
  const double claimed =
      reply.device_seconds > 0 ? reply.device_seconds : static_cast<double>(reply.ticks) * 4e-10;
  return {.wall = wall, .cpu = wall, .claimed = claimed};
}

void set_timing(Verdict& verdict, const std::vector<Reply>& replies) {
  std::vector<BatchPair> pairs;
  for (std::size_t i = 0; i + 1 < replies.size(); i += 2)
    pairs.push_back({8, 4, taken_times(replies[i], 8e-5), taken_times(replies[i + 1], 4e-5), 1e9});
  if (pairs.empty()) return;
  verdict.timing.emplace();
  for (const auto& evidence : {weigh(pairs, {}), weigh_on_device(pairs, {}, 1e9)}) {
    require(std::isfinite(evidence.claimed), "a claim is a finite number");
    verdict.timing->cases.push_back({.case_name = "small", .claimed = evidence.claimed});
    verdict.notes.push_back(evidence.detail);
    for (auto& remark : remarks_on(evidence)) verdict.notes.push_back(std::move(remark));
  }
}

void run_replies(std::string_view input) {
  Bytes bytes(input);
  const bool plain = bytes.below(2) == 1;
  std::vector<Reply> replies;
  while (!bytes.empty() && replies.size() < 16)
    if (const auto reply = next_reply(bytes, plain)) {
      require(std::isfinite(reply->device_seconds), "seconds are a finite number");
      require(reply->text_bytes <= reply->text.size(), "a text ends within its message");
      replies.push_back(*reply);
    }
  if (replies.empty()) return;
  Verdict verdict;
  set_stages(verdict, replies.back(), bytes);
  set_timing(verdict, replies);
  require_arrives(verdict);
}

std::string seed_of(const Reply& reply, std::size_t bytes = sizeof(Reply)) {
  return "\1" + std::string(reinterpret_cast<const char*>(&reply), bytes);
}

std::vector<std::string> seeds_of_replies() {
  using runner::Answer;
  std::vector<std::string> seeds;
  Reply reply;
  for (auto answer = Answer::ready; answer <= Answer::no_sealing; answer = Answer(unsigned(answer) + 1)) {
    reply.answer = answer;
    const std::string_view text = "mm 1\naddmm 2\nValueError: \x1b[2J\xff";
    reply.text_bytes = static_cast<std::uint32_t>(text.copy(reply.text.data(), reply.text.size()));
    seeds.push_back(seed_of(reply));
  }
  reply.bases.fill(~std::uint64_t{0});
  reply.fault_address = ~std::uint64_t{0};
  reply.ticks = ~std::uint64_t{0};
  seeds.push_back(seed_of(reply) + seed_of(reply).substr(1));
  reply.device_seconds = std::nan("");
  seeds.push_back(seed_of(reply));
  seeds.push_back(seed_of(Reply{}, 9));
  // In few bytes: an answer, its code, ticks, seconds, fault, bases and text; then how the runner ended.
  seeds.emplace_back("\0\5\1\2\2\x10\1\1\1\1\5\4mm 3", 16);
  seeds.emplace_back("\0\2\1\x60\2\x10\1\1\1\1\5\4mm 3\2\0\xc8\2\2\1\1\1\1\1\1", 27);
  return seeds;
}

}  // namespace

const Target replies{"replies", run_replies, seeds_of_replies};

}  // namespace ridgeline::fuzz
