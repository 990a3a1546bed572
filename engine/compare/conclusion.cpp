#include "engine/compare/conclusion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline::compare {
namespace {

constexpr double significance = 0.05;
constexpr std::size_t most_named = 4;  // contrasts in the sentence; the table has all

/// A contrast read from its better side: ratios above 1, or more tasks solved.
struct Side {
  const Contrast* contrast = nullptr;
  std::size_t better = 0, worse = 0;
  bool turned = false;  ///< the second strategy of the contrast is the better one
};

Side side_of(const Contrast& contrast, Measure measure) {
  const bool turned = measure == Measure::speedup ? contrast.kept.mean < 1
                                                  : contrast.more_solved_second > contrast.more_solved_first;
  return {&contrast, turned ? contrast.second : contrast.first, turned ? contrast.first : contrast.second,
          turned};
}

std::string ratio_text(const Ratio& ratio, bool turned) {
  const auto one = [&](double value) { return turned ? 1 / value : value; };
  const double low = one(ratio.interval.low), high = one(ratio.interval.high);
  return fmt::format("{:.2f}× (95 % {:.2f} to {:.2f})", one(ratio.mean), std::min(low, high),
                     std::max(low, high));
}

std::string equals(double p) {
  const auto text = p_text(p);
  return "p " + (text.front() == '<' ? text : "= " + text);
}

/// "by 1.12× (95 % 1.03 to 1.20), p = 0.012"
std::string by_how_much(const Side& side, Measure measure) {
  const auto& contrast = *side.contrast;
  if (measure == Measure::speedup)
    return fmt::format("by {}, {}", ratio_text(contrast.kept, side.turned), equals(contrast.p_holm));
  // Counts of tasks, since p is of them. A mean of shares may even point the other way: many tasks solved a
  // little more often against few that are solved much less often.
  const int more = side.turned ? contrast.more_solved_second : contrast.more_solved_first;
  const int less = side.turned ? contrast.more_solved_first : contrast.more_solved_second;
  return fmt::format("by {} tasks solved more often and {} less often, {}", more, less,
                     equals(contrast.solved_p_holm));
}

/// "over 40 tasks: 25 won, 9 lost, 6 tied; solved 95 % against 88 % (p = 0.38)", for one contrast alone.
std::string details_of(const Side& side, Measure measure) {
  const auto& contrast = *side.contrast;
  const double better = side.turned ? contrast.solved_second : contrast.solved_first;
  const double worse = side.turned ? contrast.solved_first : contrast.solved_second;
  auto text = fmt::format("over {} tasks", contrast.tasks);
  if (measure == Measure::speedup)
    text += fmt::format(": {} won, {} lost, {} tied", side.turned ? contrast.lost : contrast.won,
                        side.turned ? contrast.won : contrast.lost, contrast.tied);
  text += fmt::format("; solved {:.0f} % against {:.0f} %", 100 * better, 100 * worse);
  if (measure == Measure::speedup) text += " (" + equals(contrast.solved_p_holm) + ")";
  std::string conditions;
  for (const auto part : contrast.also_differ)
    conditions += (conditions.empty() ? "; they differ in " : ", ") + std::string(to_string(part));
  if (contrast.both_solved.tasks > 1)
    text += fmt::format("; over the {} that both solved {}", contrast.both_solved.tasks,
                        ratio_text(contrast.both_solved, side.turned));
  return text + (conditions.empty() ? "" : conditions + " too");
}

/// How many tasks a test must have to reach 5 % over `contrasts` at all: n tasks that all point one way have
/// p = 2 / 2^n.
int fewest_tasks(std::size_t contrasts) {
  return 1 + static_cast<int>(std::ceil(std::log2(static_cast<double>(contrasts) / significance)));
}

std::string of_pairs(std::size_t count) {
  return count == 1 ? "" : fmt::format(", Holm over {} pairs", count);
}

std::string nothing_shown(const std::vector<Contrast>& contrasts, const std::vector<std::string>& labels,
                          Measure measure) {
  const auto p = [measure](const Contrast& contrast) {
    return measure == Measure::speedup ? contrast.p : contrast.solved_p;
  };
  const auto& nearest = *std::min_element(contrasts.begin(), contrasts.end(),
                                          [&](const auto& a, const auto& b) { return p(a) < p(b); });
  const auto side = side_of(nearest, measure);
  auto text = fmt::format("no difference is shown at equal budget: {}{} against {} {}{}, {}",
                          contrasts.size() == 1 ? "" : "the clearest is ", labels[side.better],
                          labels[side.worse], by_how_much(side, measure).substr(3),
                          of_pairs(contrasts.size()), details_of(side, measure));
  const int most = std::max_element(contrasts.begin(), contrasts.end(), [](const auto& a, const auto& b) {
                     return a.tasks < b.tasks;
                   })->tasks;
  if (const int fewest = fewest_tasks(contrasts.size()); most < fewest)
    text += fmt::format("; {} tasks are too few to show any, {} are the least", most, fewest);
  else if (measure == Measure::speedup && nearest.p_holm <= significance)
    text +=
        fmt::format("; it is not beyond the noise floor, {:.3f}×, or its interval holds 1", nearest.floor);
  return text;
}

/// The strategy that is shown to be better than all others with which it was contrasted, if these are all.
std::optional<std::size_t> best_of(const std::vector<Side>& shown, std::size_t strategies) {
  for (std::size_t strategy = 0; strategy < strategies; ++strategy) {
    const auto over =
        std::count_if(shown.begin(), shown.end(), [&](const Side& side) { return side.better == strategy; });
    if (over > 0 && static_cast<std::size_t>(over) + 1 == strategies) return strategy;
  }
  return std::nullopt;
}

std::string differences_shown(std::vector<Side> sides, const std::vector<std::string>& labels,
                              const Conclusion& conclusion, std::size_t contrasts) {
  // A best strategy's differences alone: those among the others follow in the table.
  if (conclusion.best)
    std::erase_if(sides, [&](const Side& side) { return side.better != *conclusion.best; });
  std::string text;
  for (std::size_t i = 0; i < std::min(sides.size(), most_named); ++i) {
    const auto& side = sides[i];
    if (i == 0)
      text = fmt::format("{} is better {}than {} at equal budget ", labels[side.better],
                         conclusion.best && sides.size() > 1 ? "than each other strategy: " : "",
                         labels[side.worse]);
    else if (side.better == sides[i - 1].better)
      text += "; than " + labels[side.worse] + " ";
    else
      text += fmt::format("; {} is better than {} ", labels[side.better], labels[side.worse]);
    text += by_how_much(side, conclusion.measure);
    text += sides.size() == 1 ? of_pairs(contrasts) + ", " + details_of(side, conclusion.measure)
                              : fmt::format(", over {} tasks", side.contrast->tasks);
  }
  if (sides.size() > most_named) text += fmt::format("; and {} more differences", sides.size() - most_named);
  if (sides.size() > 1) text += fmt::format(" (Holm over {} pairs)", contrasts);
  if (!conclusion.best && contrasts > sides.size())
    text += fmt::format("; no difference is shown in the other {} of {} pairs", contrasts - sides.size(),
                        contrasts);
  return text;
}

}  // namespace

std::string as_line(std::string sentence) {
  // A label is a name, as the campaign file has it.
  for (const char* begin : {"no ", "noise ", "nothing ", "there ", "the "})
    if (sentence.starts_with(begin)) sentence.front() = static_cast<char>(sentence.front() - 'a' + 'A');
  return sentence;
}

std::string p_text(double p) {
  if (p < 0.001) return "< 0.001";
  return p < 0.1 ? fmt::format("{:.3f}", p) : fmt::format("{:.2f}", p);
}

bool is_shown(const Contrast& contrast, Measure measure) {
  if (measure == Measure::solved) return contrast.solved_p_holm <= significance;
  const auto& [tasks, mean, interval] = contrast.kept;
  return contrast.p_holm <= significance && (interval.low > 1 || interval.high < 1) &&
         std::abs(std::log(mean)) > std::log(contrast.floor);
}

Conclusion conclude(const std::vector<Contrast>& contrasts, const std::vector<std::string>& labels,
                    bool timed) {
  Conclusion conclusion;
  conclusion.measure = timed ? Measure::speedup : Measure::solved;
  if (contrasts.empty()) {
    conclusion.sentence = labels.size() < 2
                              ? "there is one strategy alone, and nothing to compare it with"
                              : "nothing follows: there is no task that two strategies finished";
    return conclusion;
  }
  std::vector<Side> sides;
  for (std::size_t i = 0; i < contrasts.size(); ++i) {
    if (!is_shown(contrasts[i], conclusion.measure)) continue;
    conclusion.shown.push_back(i);
    sides.push_back(side_of(contrasts[i], conclusion.measure));
  }
  conclusion.best = best_of(sides, labels.size());
  conclusion.sentence = sides.empty()
                            ? nothing_shown(contrasts, labels, conclusion.measure)
                            : differences_shown(std::move(sides), labels, conclusion, contrasts.size());
  return conclusion;
}

}  // namespace ridgeline::compare
