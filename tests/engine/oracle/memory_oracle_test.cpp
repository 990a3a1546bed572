// Tests how much memory a request may take, and which process Linux ends when the machine runs out of it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/engine/oracle/oracle_bed.hpp"

namespace ridgeline::oracle {
namespace {

using testing::HasSubstr;

/// Executes `text` as a task's file and returns the message of the RuntimeError that it raises.
std::string said(OracleProcess& oracle, const std::string& text) {
  const auto failure = failure_of(oracle.describe(TaskText{"says.py", text}, patience));
  const std::string before = "RuntimeError: ";
  const auto at = failure.find(before);
  EXPECT_NE(at, std::string::npos) << failure;
  return at == std::string::npos ? "" : failure.substr(at + before.size());
}

TEST(OracleMemory, LetsLinuxEndTheOracleAloneIfItRunsOut) {
  EXPECT_THAT(said(shared_oracle(), "raise RuntimeError(open('/proc/self/oom_score_adj').read().strip())\n"),
              HasSubstr("1000"));
}

TEST(OracleMemory, IsMeasuredAnewForEachRequest) {
  auto settings = test_settings(RIDGELINE_PYTHON);
  settings.memory_bytes = std::uint64_t{256}
                          << 20;  // less than any machine has: all that changes is what is held
  OracleProcess oracle(settings);
  const std::string limit =
      "import resource\nraise RuntimeError(resource.getrlimit(resource.RLIMIT_DATA)[0])\n";
  const auto before = std::stod(said(oracle, limit));
  said(oracle, "import sys, torch\nsys.held = torch.ones(1 << 24)\nraise RuntimeError('holds it')\n");
  const auto after = std::stod(said(oracle, limit));
  EXPECT_NEAR(after - before, 64.0 * (1 << 20), 32.0 * (1 << 20)) << "beside what it holds already";
}

TEST(OracleMemory, DoesNotCountCachedFilesOfAControlGroup) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("ridgeline-group-{}", ::getpid());
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const char* text) { std::ofstream(folder / name) << text; };
  const auto left = [&] {
    return said(shared_oracle(), fmt::format("from ridgeline_oracle import machine\n"
                                             "raise RuntimeError(machine._group('{}'))\n",
                                             folder.string()));
  };
  write("memory.max", "1000\n");
  write("memory.current", "900\n");
  write("memory.stat", "anon 300\nshmem 100\ninactive_file 350\nactive_file 50\n");
  EXPECT_THAT(left(), testing::StartsWith("500"));
  write("memory.max", "max\n");
  EXPECT_THAT(left(), testing::StartsWith("None"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ridgeline::oracle
