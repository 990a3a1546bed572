#include "tests/engine/report/simulated_store.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/store/writer.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::report::samples {
namespace {

namespace stored = store::samples;

constexpr int categories = 15, rounds = 10;
constexpr double bandwidth = 2e10, peak = 1e11;  // of the device: bytes and operations a second

struct Simulated {
  const char* name;
  double start, gain;  // the mean logarithm of the speed-up in round 0, and how much a round adds
};
constexpr Simulated strategies[] = {{"single", 0.0, 0.0},
                                    {"best_of_10", 0.05, 0.0},
                                    {"iterative", 0.0, 0.05},
                                    {"iterative_g_e_p", 0.0, 0.08},
                                    {"geak", 0.05, 0.09}};

/// Near enough to a standard normal number: the sum of twelve uniform ones.
double normal(Random& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return sum;
}

std::string identity_of(const Simulated& strategy) {
  return std::string(R"({"language":"cpp","strategy":{"strategy":")") + strategy.name +
         R"("},"models":{"generator":{"id":"model-2026-01","endpoint":"https://models.example/v1",)"
         R"("temperature":0.7}},"prompts":"default"})";
}

/// A task: the mean logarithm of its first kernels' speed-ups, and the share of answers that are wrong.
struct Ease {
  double speed = 0, wrong = 0;
};

Verdict verdict_of(const Hash& task, const Hash& candidate, double speedup, double wrong, Random& random) {
  if (random.uniform() < wrong)
    return stored::failed_verdict(task, candidate, random.uniform() < 0.5 ? Stage::build : Stage::correctness,
                                  Reason::wrong_values);
  auto verdict = stored::correct_verdict(task, candidate, 2e-3 / speedup, 40);
  // Other sizes and other rates, so that rooflines spread below the roof.
  for (auto& roofline : verdict.rooflines) {
    roofline.intensity = std::exp(6 * random.uniform() - 2);
    roofline.efficiency = 0.1 + 0.8 * random.uniform();
    roofline.operations =
        roofline.efficiency * std::min(bandwidth * roofline.intensity, peak) * roofline.seconds;
    roofline.bytes = roofline.operations / roofline.intensity;
    roofline.bound = bandwidth * roofline.intensity < peak ? Bound::memory : Bound::compute;
  }
  return verdict;
}

void record_trajectory(store::Writer& writer, const store::TrajectoryRecord& trajectory,
                       const Simulated& strategy, const Ease& ease, Random& random) {
  Hash before;
  for (int round = 0; round < rounds; ++round) {
    const int number = static_cast<int>(trajectory.id) * rounds + round;
    const auto candidate =
        stored::candidate(number, before.empty() ? std::vector<Hash>{} : std::vector<Hash>{before});
    auto ask = stored::ask(trajectory.id, round, 0, &candidate);
    ask.prompt = R"([{"role":"user","content":")" + std::string(4000, 'p') + R"("}])";
    ask.started_at += round * 5000;
    ask.ended_at += round * 5000;
    writer.record(ask, candidate, {});
    const double speedup =
        std::exp(ease.speed + strategy.start + strategy.gain * round + 0.3 * normal(random));
    auto evaluation =
        stored::evaluation(trajectory.id, round, 0,
                           verdict_of(trajectory.task_hash, candidate.hash, speedup, ease.wrong, random));
    evaluation.started_at += round * 5000;
    evaluation.ended_at += round * 5000;
    writer.record(evaluation, {});
    before = candidate.hash;
  }
  writer.set_state(trajectory.id, store::TrajectoryState::finished, "", 1'790'000'100'000, {});
}

}  // namespace

void simulate(const store::Store& store, SimulatedSize size) {
  store::Writer writer(store, [](const std::function<void()>& work) { work(); });
  Random random(7);
  std::vector<store::TaskRecord> tasks;
  std::vector<Ease> ease;
  for (int i = 0; i < size.tasks; ++i) {
    tasks.push_back(stored::task("task_" + std::to_string(i), "Category " + std::to_string(i % categories)));
    const double hard = random.uniform();
    ease.push_back({0.4 * normal(random), 0.3 + 0.69 * hard * hard});
  }
  std::vector<store::TrajectoryRecord> trajectories;
  std::vector<std::pair<const Simulated*, Ease>> how;
  for (const auto& strategy : strategies)
    for (int i = 0; i < size.tasks; ++i)
      for (int seed = 0; seed < size.seeds; ++seed) {
        auto trajectory =
            stored::trajectory(tasks[static_cast<std::size_t>(i)], static_cast<std::uint64_t>(seed));
        trajectory.strategy = strategy.name;
        trajectory.identity = identity_of(strategy);
        trajectories.push_back(trajectory);
        how.emplace_back(&strategy, ease[static_cast<std::size_t>(i)]);
      }
  auto campaign = stored::campaign("simulated");
  writer.create(campaign, tasks, trajectories);
  store::DeviceRecord device{.name = "cpu", .ceilings = {}, .seen_at = 1'790'000'000'000};
  device.ceilings.bandwidth = bandwidth;
  device.ceilings.peaks = {{"fp32", peak}};
  writer.record(device, {});
  for (std::size_t i = 0; i < trajectories.size(); ++i)
    record_trajectory(writer, trajectories[i], *how[i].first, how[i].second, random);
  writer.flush();
}

}  // namespace ridgeline::report::samples
