#include "engine/worker/judge/serve.hpp"

#include <poll.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "engine/core/out_of_memory.hpp"
#include "engine/worker/judge/memory_shortage.hpp"
#include "engine/worker/judge/metric_log.hpp"
#include "engine/worker/judge/reference_guard.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

using protocol::Failed;
using protocol::Failure;
using protocol::FromJudge;

std::optional<FromJudge> answer(Judge& judge, const protocol::ToJudge& request, const MetricLog& log) {
  profiler::take_metrics();  // drops what was measured between requests, or for one that failed
  const double begin = profiler::wall_seconds();
  if (const auto* wanted = std::get_if<protocol::JudgeRequest>(&request)) {
    protocol::Judged judged{wanted->id, judge.judge(*wanted)};
    log.line("judge " + wanted->task.name, profiler::wall_seconds() - begin);
    return judged;
  }
  if (const auto* wanted = std::get_if<protocol::Prepare>(&request)) {
    judge.prepare(*wanted);
    log.line("prepare " + wanted->task.name, profiler::wall_seconds() - begin);
    return protocol::Prepared{wanted->id};
  }
  if (const auto* wanted = std::get_if<protocol::ExpectModules>(&request)) {
    judge.expect_modules();
    return protocol::Prepared{wanted->id};
  }
  if (const auto* wanted = std::get_if<protocol::CheckTask>(&request)) return judge.check(*wanted);
  if (const auto* wanted = std::get_if<protocol::Describe>(&request)) return judge.describe(*wanted);
  return std::nullopt;  // quit
}

/// Returns nothing where the request was to quit.
std::optional<FromJudge> answer_or_fail(Judge& judge, const nlohmann::json& document, const MetricLog& log,
                                        protocol::ToJudge& request) {
  const auto id = protocol::id_of(document);
  try {
    request = protocol::decode_to_judge(document);
    return answer(judge, request, log);
  } catch (const OutOfMemory& error) {
    if (!judge.sound()) throw;
    return Failed{id, Failure::machine_cannot, error.what()};
  } catch (const MachineCannot& error) {
    if (!judge.sound()) throw;  // this process ends: a fresh one is asked again
    // A runner that did not start, no memory for buffers: it may go well next time.
    return Failed{id, Failure::judge_failed, error.what()};
  } catch (const Error& error) {  // ProtocolError and BadInput: the same request would fail everywhere
    return Failed{id, Failure::bad_request, error.what()};
  } catch (const std::exception& error) {
    if (!judge.sound()) throw;
    return Failed{id, Failure::judge_failed, error.what()};
  }
}

/// The answer where the task's reference had to be stopped.
FromJudge stopped(const protocol::ToJudge& request, Reason reason, const std::string& why) {
  if (const auto* judge = std::get_if<protocol::JudgeRequest>(&request)) {
    Verdict verdict;
    verdict.task = judge->task.hash;
    verdict.posed = posed_text(judge->task);
    verdict.candidate = judge->candidate.hash;
    if (reason == Reason::memory_limit)
      does_not_fit(why, judge->task, verdict);
    else
      not_judged(reason, why, verdict);
    return protocol::Judged{judge->id, std::move(verdict)};
  }
  const auto id = std::visit(
      [](const auto& one) {
        if constexpr (requires { one.id; }) return one.id;
        return std::string();
      },
      request);
  return Failed{id, reason == Reason::memory_limit ? Failure::machine_cannot : Failure::bad_request, why};
}

constexpr double kMoment = 0.005;  // seconds within which an agent with a next request has sent it

bool comes_within(int in, double seconds) {
  pollfd next{in, POLLIN, 0};
  return ::poll(&next, 1, static_cast<int>(seconds * 1000)) > 0;
}

}  // namespace

void serve(Judge& judge, int in, int out) {
  const char* const file = std::getenv(kMetricsVariable);
  const MetricLog log(file != nullptr ? file : "");
  judge.on_idle(/*next_waits=*/false);
  protocol::ToJudge request;  // the guard reads it while the judge is within it
  const ReferenceGuard guard([&request, out](Reason reason, const std::string& why) {
    protocol::send(out, stopped(request, reason, why));
  });
  for (;;) {
    if (const auto seconds = judge.announced_wait(); seconds && !comes_within(in, *seconds))
      judge.announced_request_stayed_away();
    const auto document = protocol::read_frame(in);
    if (!document) return;
    const auto reply = answer_or_fail(judge, *document, log, request);
    if (!reply) return;
    protocol::send(out, *reply);
    judge.on_idle(comes_within(in, kMoment));
  }
}

}  // namespace ridgeline::judge
