#include "tests/bench/adversary/judging/outcome.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "tests/engine/worker/judge/testcase.hpp"

namespace ridgeline::bench {

std::string words_of(const Outcome& outcome, const Allowed& allowed) {
  if (!outcome.verdict) return "the judge was lost: " + outcome.lost;
  const auto& verdict = *outcome.verdict;
  auto words = judge::outcome_of(verdict);
  if (const auto failed = verdict.failed_at(); !failed) {
    words += fmt::format(", speed-up {:.2f}", verdict.speedup());
    if (allowed.most_speedup) words += fmt::format(" of at most {:.2f}", *allowed.most_speedup);
  } else {
    if (verdict.cheated) words += ", cheated";
    if (const auto& detail = verdict.at(*failed).detail; !detail.empty()) words += ": " + detail;
  }
  for (const auto& flag : verdict.flags) words += ", flag " + flag;
  return words;
}

void tell(const Scored& scored) {
  fmt::print(stderr, "{:8} {}/{}/{} ({:.1f} s): {}\n", name_of(scored.standing), scored.language,
             scored.folder, scored.name, scored.seconds, scored.outcome);
}

}  // namespace ridgeline::bench
