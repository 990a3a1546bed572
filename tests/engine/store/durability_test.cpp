// Nothing that was acknowledged is lost: not by kill -9, a full disk, a size limit or a torn log.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <fstream>
#include <set>

#include "engine/core/error.hpp"
#include "engine/core/statistics.hpp"
#include "engine/store/journal.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"
#include "engine/store/writer.hpp"
#include "tests/engine/store/processes.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::store {
namespace {

namespace fs = std::filesystem;
using samples::Child;
using samples::Folder;
using testing::HasSubstr;

constexpr auto write_mode = OpenMode::create_or_resume;
const auto one = samples::candidate(1);
const auto softmax = samples::task();

void run_here(const std::function<void()>& work) {
  work();
}
double seconds_of(int step) {
  return 1e-6 * (step + 1);
}

/// A store with one trajectory (id 1) whose first record is the candidate's.
void prepare(const std::string& path) {
  const auto store = Store::open(path, write_mode);
  Writer writer(store, run_here);
  auto campaign = samples::campaign();
  std::vector trajectories{samples::trajectory(softmax)};
  writer.create(campaign, {softmax}, trajectories);
  writer.record(samples::ask(1, 0, 0, &one), one, {});
}

void record_step(Writer& writer, int step, Done done) {
  writer.record(
      samples::evaluation(1, step, 0, samples::correct_verdict(softmax.hash, one.hash, seconds_of(step))),
      std::move(done));
}

/// The steps whose evaluations are there; each must be whole.
std::set<int> steps_in(const std::string& path) {
  std::set<int> steps;
  const auto store = Store::open(path, OpenMode::read_only);
  for (const auto& entry : load_journal(Reader(store), 1))
    if (const auto* evaluation = std::get_if<EvaluationRecord>(&entry)) {
      EXPECT_EQ(evaluation->verdict.timing->cases.at(1).cold.median, seconds_of(evaluation->step));
      EXPECT_EQ(evaluation->verdict.timing->cases[1].cold.samples.size(), 20u);
      EXPECT_EQ(evaluation->verdict.rooflines.at(1).counters.size(), 2u);
      steps.insert(evaluation->step);
    }
  return steps;
}

TEST(Durability, AcknowledgedRowsSurviveKill) {
  Folder folder;
  const auto path = folder.path("store.db");
  prepare(path);
  Random random(20260601);
  std::set<int> acknowledged;
  for (int kill = 0; kill < 25; ++kill) {
    const int from = kill * 10'000;
    Child engine([&](int pipe) {
      const auto store = Store::open(path, write_mode);
      Writer writer(store, run_here, 64);
      for (int step = from;; ++step)
        record_step(writer, step, [pipe, step](std::exception_ptr error) {
          if (!error) samples::say(pipe, step);
        });
    });
    const auto wanted = 1 + random.below(150);  // it dies in the midst of whatever follows
    for (std::size_t heard = 0; heard < wanted; ++heard) {
      const auto step = engine.hear();
      ASSERT_TRUE(step);
      acknowledged.insert(*step);
    }
    engine.kill_now();
    while (const auto step = engine.hear()) acknowledged.insert(*step);

    const auto there = steps_in(path);
    for (const int step : acknowledged)
      ASSERT_TRUE(there.contains(step)) << "step " << step << ", kill " << kill;
  }
  EXPECT_GE(acknowledged.size(), 25u);
  const auto store = Store::open(path, write_mode);
  EXPECT_EQ(store.connect_to_read()->execAndGet("PRAGMA integrity_check").getString(), "ok");
}

TEST(Durability, FullDiskFailsWhatFollowsAndKeepsWhatWasAcknowledged) {
  Folder folder;
  const auto path = folder.path("store.db");
  prepare(path);
  std::set<int> acknowledged;
  std::string first_error, last_error;
  {
    const auto store = Store::open(path, write_mode, {.file_system_type = {}, .max_pages = 100});
    Writer writer(store, run_here, 8);
    for (int step = 0; step < 400; ++step)
      record_step(writer, step, [&, step](std::exception_ptr error) {
        try {
          if (error) std::rethrow_exception(error);
          acknowledged.insert(step);
        } catch (const MachineCannot& full) {
          if (first_error.empty()) first_error = full.what();
          last_error = full.what();
        }
      });
    EXPECT_THROW(writer.flush(), MachineCannot);
  }
  EXPECT_THAT(first_error,
              testing::AllOf(HasSubstr("no space left"), HasSubstr("store.db"), HasSubstr("resume")));
  EXPECT_EQ(first_error, last_error);
  EXPECT_GT(acknowledged.size(), 10u);
  EXPECT_EQ(steps_in(path), acknowledged);

  const auto store = Store::open(path, write_mode);  // room was made
  Writer writer(store, run_here);
  record_step(writer, 1000, {});
  EXPECT_NO_THROW(writer.flush());
}

TEST(Durability, FileSizeLimitIsAnErrorNotADeath) {
  Folder folder;
  const auto path = folder.path("store.db");
  prepare(path);
  Child engine([&](int pipe) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{300'000, 300'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto store = Store::open(path, write_mode);
    Writer writer(store, run_here, 8);
    std::atomic<int> committed = 0;
    std::string problem;
    for (int step = 0; step < 400; ++step)
      record_step(writer, step, [&](std::exception_ptr error) {
        try {
          if (error) std::rethrow_exception(error);
          ++committed;
        } catch (const MachineCannot& full) {
          problem = full.what();
        }
      });
    try {
      writer.flush();
    } catch (const MachineCannot&) {  // as every record after the first failure
    }
    samples::say(pipe, committed);
    samples::say(pipe, problem);
  });
  const auto committed = engine.hear();
  ASSERT_TRUE(committed);
  EXPECT_THAT(engine.rest(),
              testing::AllOf(HasSubstr("Everything acknowledged is kept"), HasSubstr("resume")));
  EXPECT_GT(*committed, 5);
  EXPECT_EQ(steps_in(path).size(), static_cast<std::size_t>(*committed));
}

TEST(Durability, TornLogGivesBackAPrefixOfWhatWasCommitted) {
  Folder folder;
  const auto path = folder.path("store.db");
  prepare(path);
  const auto store = Store::open(path, write_mode);
  Writer writer(store, run_here);
  for (int step = 0; step < 40; ++step) {
    record_step(writer, step, {});
    writer.flush();
  }
  const auto log_size = fs::file_size(path + "-wal");
  ASSERT_GT(log_size, 100'000u);
  Random random(7);
  for (int tear = 0; tear < 10; ++tear) {
    const auto torn = folder.path("torn" + std::to_string(tear) + ".db");
    fs::copy_file(path, torn);
    fs::copy_file(path + "-wal", torn + "-wal");
    fs::resize_file(torn + "-wal", random.below(log_size));
    {
      const auto repaired = Store::open(torn, write_mode);
    }
    const auto steps = steps_in(torn);
    EXPECT_LT(steps.size(), 40u);
    const int last = steps.empty() ? -1 : *steps.rbegin();
    EXPECT_EQ(last + 1, static_cast<int>(steps.size())) << "a gap";
  }
}

TEST(Durability, DamageIsReportedNotRead) {
  Folder folder;
  const auto path = folder.path("store.db");
  prepare(path);
  const auto overwrite = [&](std::size_t from, std::size_t count) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(from));
    file << std::string(count, '\x5a');
  };
  overwrite(4096, fs::file_size(path) - 4096);  // all pages but the first
  const auto store = Store::open(path, OpenMode::read_only);
  EXPECT_THROW(load_journal(Reader(store), 1), MachineCannot);

  overwrite(0, 4096);
  try {
    Store::open(path, write_mode);
    ADD_FAILURE() << "garbage was opened";
  } catch (const BadInput& garbage) {
    EXPECT_THAT(garbage.what(),
                testing::AllOf(HasSubstr("store.db is not a Ridgeline store"), HasSubstr(".recover")));
  }
}

TEST(Durability, DamageAfterACrashIsFoundWhenOpening) {
  Folder folder;
  const auto path = folder.path("store.db");
  prepare(path);
  Child engine([&](int pipe) {
    const auto store = Store::open(path, write_mode);
    Writer writer(store, run_here);
    record_step(writer, 0, {});
    writer.flush();
    samples::say(pipe, 1);
    pause();
  });
  ASSERT_EQ(engine.hear(), 1);
  engine.kill_now();
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4096);
  file << std::string(8192, '\x5a');
  file.close();
  EXPECT_THROW(Store::open(path, write_mode), MachineCannot);
}

}  // namespace
}  // namespace ridgeline::store
