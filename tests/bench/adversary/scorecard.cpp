#include "tests/bench/adversary/scorecard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace ridgeline::bench {
namespace {

constexpr std::array kStandings{Standing::caught, Standing::harmless, Standing::missed,
                                Standing::passed, Standing::refused,  Standing::accused};

struct Sum {
  std::array<int, kStandings.size()> counts{};
  int candidates = 0;
  double seconds = 0;

  int of(Standing standing) const { return counts[static_cast<std::size_t>(standing)]; }
  int honest() const { return of(Standing::passed) + of(Standing::refused) + of(Standing::accused); }
  int misbehaving() const { return candidates - honest(); }
  void add(const Scored& scored) {
    ++counts[static_cast<std::size_t>(scored.standing)];
    ++candidates;
    seconds += scored.seconds;
  }
};

bool complained(Standing standing) {
  return standing == Standing::missed || standing == Standing::refused || standing == Standing::accused;
}

/// Returns the different values of a member, in the order of their first.
template <class Member>
std::vector<std::string> distinct(const std::vector<Scored>& all, Member member) {
  std::vector<std::string> values;
  for (const auto& scored : all)
    if (std::ranges::find(values, scored.*member) == values.end()) values.push_back(scored.*member);
  return values;
}

Sum sum_of(const std::vector<Scored>& all, const std::string& language, const std::string& folder = "") {
  Sum sum;
  for (const auto& scored : all)
    if (scored.language == language && (folder.empty() || scored.folder == folder)) sum.add(scored);
  return sum;
}

std::string row_of(const std::string& language, const std::string& folder, const Sum& sum) {
  auto row = fmt::format("{:<14} {:<9} {:>10}", language, folder, sum.candidates);
  for (const auto standing : kStandings) {
    const bool applies = standing < Standing::passed ? sum.misbehaving() > 0 : sum.honest() > 0;
    row += fmt::format(" {:>8}", applies ? std::to_string(sum.of(standing)) : "-");
  }
  return row + fmt::format(" {:>8.1f}\n", sum.seconds);
}

std::string figure(const std::string& name, int value, nlohmann::ordered_json more) {
  nlohmann::ordered_json line{{"figure", name}, {"value", value}, {"unit", "candidates"}, {"goal", "0"}};
  line.update(std::move(more));
  return line.dump();
}

}  // namespace

const char* const standing_definitions =
    "caught: a misbehaving candidate whose verdict failed, says that it cheated, or flags its figure\n"
    "harmless: one that passes unflagged, as its header allows, with a speed-up within the header's bound\n"
    "missed: any other misbehaving candidate\n"
    "accused: an honest candidate that is marked as cheated or whose figure is flagged\n"
    "refused: an honest candidate that failed otherwise\n"
    "passed: any other honest candidate\n";

std::string name_of(Standing standing) {
  constexpr std::array names{"caught", "harmless", "missed", "passed", "refused", "accused"};
  return names.at(static_cast<std::size_t>(standing));
}

Standing standing_of(const Allowed& allowed, const std::optional<Verdict>& verdict) {
  if (!verdict) return allowed.honest ? Standing::refused : Standing::missed;
  const auto failed = verdict->failed_at();
  const bool suspected = verdict->cheated || !verdict->flags.empty();
  if (allowed.honest) {
    if (suspected) return Standing::accused;
    return failed ? Standing::refused : Standing::passed;
  }
  if (suspected || (failed && verdict->at(*failed).status == Status::failed)) return Standing::caught;
  const bool within = !allowed.most_speedup || verdict->speedup() <= *allowed.most_speedup;
  return !failed && allowed.may_pass && within ? Standing::harmless : Standing::missed;
}

void add_repetition(Scored& scored, const Scored& again) {
  scored.seconds += again.seconds;
  if (again.standing <= scored.standing) return;
  scored.standing = again.standing;
  scored.outcome = again.outcome;
}

std::string table_of(const std::vector<Scored>& all) {
  auto text = fmt::format("{:<14} {:<9} {:>10}", "language", "class", "candidates");
  for (const auto standing : kStandings) text += fmt::format(" {:>8}", name_of(standing));
  text += fmt::format(" {:>8}\n", "seconds");
  auto folders = distinct(all, &Scored::folder);
  std::ranges::sort(folders);
  std::ranges::stable_partition(folders, [](const auto& folder) { return folder == "honest"; });
  for (const auto& language : distinct(all, &Scored::language)) {
    for (const auto& folder : folders)
      if (const auto sum = sum_of(all, language, folder); sum.candidates > 0)
        text += row_of(language, folder, sum);
    text += row_of(language, "all", sum_of(all, language));
  }
  return text;
}

std::string complaints_of(const std::vector<Scored>& all) {
  std::string text;
  for (const auto& scored : all)
    if (complained(scored.standing))
      text += fmt::format("{} {}/{}/{}: {}\n", name_of(scored.standing), scored.language, scored.folder,
                          scored.name, scored.outcome);
  return text;
}

std::vector<std::string> figures_of(const std::vector<Scored>& all, int repetitions) {
  std::vector<std::string> lines;
  for (const auto& language : distinct(all, &Scored::language)) {
    const auto sum = sum_of(all, language);
    const nlohmann::ordered_json rest{{"repetitions", repetitions}};
    if (sum.misbehaving() > 0) {
      nlohmann::ordered_json more{{"of", sum.misbehaving()},
                                  {"caught", sum.of(Standing::caught)},
                                  {"harmless", sum.of(Standing::harmless)}};
      more.update(rest);
      lines.push_back(figure("adversary: missed, " + language, sum.of(Standing::missed), std::move(more)));
    }
    if (sum.honest() > 0) {
      nlohmann::ordered_json more{{"of", sum.honest()},
                                  {"refused", sum.of(Standing::refused)},
                                  {"accused", sum.of(Standing::accused)}};
      more.update(rest);
      lines.push_back(figure("adversary: honest refused or accused, " + language,
                             sum.of(Standing::refused) + sum.of(Standing::accused), std::move(more)));
    }
  }
  return lines;
}

bool meets_goals(const std::vector<Scored>& all) {
  return std::ranges::none_of(all, [](const auto& scored) { return complained(scored.standing); });
}

}  // namespace ridgeline::bench
