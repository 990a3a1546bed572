// Batches with sealed inputs: the order, and what one takes beside its calls.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/core/one_line.hpp"
#include "engine/worker/judge/runners/runner_limits.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

using runner::Reply;

constexpr int kTrialWindows = 5;  // of each kind, of which the least counts
constexpr std::size_t kManyTrialCalls = 9;
constexpr double kLongestAbsence = 0.5e-9 * cuda::longest_key_wait;  // seconds

std::string words_of(const RunnerAnswer& answer) {
  const auto* reply = std::get_if<Reply>(&answer);
  return reply ? in_one_line({reply->text.data(), reply->text_bytes}) : "its runner ended";
}

}  // namespace

SealedBatchAnswer RunnerProcess::call_sealed(const SealedBatch& batch, double limit) {
  auto& exchange = *std::launder(reinterpret_cast<runner::SealedExchange*>(exchange_->data()));
  KeyServer keys_given(exchange, batch);
  key_server_ = &keys_given;
  struct Forget {
    KeyServer*& server;
    ~Forget() { server = nullptr; }
  } forget{key_server_};  // also if the call throws
  auto called = call(0, batch.keys.size(), limit, runner::CallOrder::sealed);
  keys_given.finish(profiler::wall_seconds());
  if (!is_ok(called.answer) && keys_given.longest_absence() > kLongestAbsence) {
    finish();  // its context is lost, and whoever used it next would fail
    throw MachineCannot(fmt::format(
        "the judge was kept from its work for {:.1f} s while a runner waited for a key; fix: leave it a core "
        "(fewer builders, or fewer other programs), and judge this candidate again",
        keys_given.longest_absence()));
  }
  return {std::move(called.answer), called.times.wall, keys_given.digests()};
}

double RunnerProcess::trial_window(std::size_t count, bool empties_cache) {
  const std::vector<std::uint64_t> keys(count, 1);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTrialWindows; ++i) {
    if (occupy_device_) occupy_device_();
    const auto batch =
        call_sealed({.arguments = {}, .keys = keys, .empties_cache = empties_cache}, runner_limits::start);
    // Its context is lost then: a candidate that was given this runner would be blamed.
    if (!is_ok(batch.answer))
      throw MachineCannot(
          fmt::format("a runner did not survive a trial of sealed inputs: {}; fix: judge again; if it comes "
                      "again, see what else uses the GPU",
                      words_of(batch.answer)));
    least = std::min(least, batch.wall);
  }
  return least;
}

SealedCosts RunnerProcess::measure_sealed_costs(bool empties_cache) {
  const double one = trial_window(1, empties_cache), many = trial_window(kManyTrialCalls, empties_cache);
  SealedCosts costs;
  costs.per_call = std::max(0.0, (many - one) / (kManyTrialCalls - 1));
  costs.per_batch = std::max(0.0, one - costs.per_call);
  return costs;
}

void RunnerProcess::measure_sealed_costs() {
  if (sealing_->cubin.size() > runner::kMostCubin) throw Error("the kernels that seal inputs are too large");
  exchange_.emplace(sizeof(runner::SealedExchange));
  auto& exchange = *new (exchange_->data()) runner::SealedExchange;
  exchange.cubin_bytes = sealing_->cubin.size();
  std::ranges::copy(sealing_->cubin, exchange.cubin.begin());
  runner::PrepareSealed message;
  message.memory_bytes = sealing_->memory_bytes;
  message.evicted_bytes = sealing_->evicted_bytes;
  const std::array descriptors{exchange_->descriptor(), sealing_->memory};
  const auto answer = ask(&message, sizeof message, descriptors, runner_limits::start);
  if (!is_ok(answer)) {
    why_not_sealed_ = words_of(answer);
    return;
  }
  const auto emptied = measure_sealed_costs(true);
  sealed_costs_ = {emptied, measure_sealed_costs(false)};
}

}  // namespace ridgeline::judge
