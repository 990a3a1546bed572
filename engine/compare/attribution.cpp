#include "engine/compare/attribution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace ridgeline::compare {
namespace {

constexpr std::uint64_t bootstrap_seed = 19720501, dealing_seed = 19370101;
constexpr double ridge = 1e-6;
constexpr int most_fit_steps = 50;      // of a fit; six are usual
constexpr double precision = 1e-9;      // of a deviance, relative: a fit ends there
constexpr double drop_rounding = 1e-9;  // a drop as large as the one that was seen counts

/// Trials of one category and one strategy.
struct Count {
  double trials = 0, solved = 0;
};

/// Counts by category, then strategy.
struct Table {
  Table(std::size_t category_count, std::size_t strategy_count)
      : categories(category_count), strategies(strategy_count), cells(category_count * strategy_count) {}
  Count& at(std::size_t category, std::size_t strategy) { return cells[category * strategies + strategy]; }

  std::size_t categories, strategies;
  std::vector<Count> cells;
};

/// x log(p), where 0 log(0) is 0.
double times_log(double x, double p) {
  return x == 0 ? 0 : x * std::log(p);
}

double deviance(const Count& count, double p) {
  return -2 * (times_log(count.solved, p) + times_log(count.trials - count.solved, 1 - p));
}

/// Of trials that have a share of their own.
double deviance(const Count& count) {
  return count.trials == 0 ? 0 : deviance(count, count.solved / count.trials);
}

double deviance_of_one_share(const Table& table) {
  Count all;
  for (const auto& cell : table.cells) all = {all.trials + cell.trials, all.solved + cell.solved};
  return deviance(all);
}

/// Of the model with one of the factors: each of its levels has a share of its own.
double deviance_by(const Table& table, bool by_category) {
  std::vector<Count> levels(by_category ? table.categories : table.strategies);
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    auto& level = levels[by_category ? i / table.strategies : i % table.strategies];
    level = {level.trials + table.cells[i].trials, level.solved + table.cells[i].solved};
  }
  double sum = 0;
  for (const auto& level : levels) sum += deviance(level);
  return sum;
}

/// Solves `matrix` x = `right` in place by Cholesky's method; the matrix is positive definite.
void solve(std::vector<double>& matrix, std::vector<double>& right) {
  const auto n = right.size();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) matrix[j * n + j] -= matrix[j * n + k] * matrix[j * n + k];
    matrix[j * n + j] = std::sqrt(std::max(matrix[j * n + j], ridge * ridge));
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) matrix[i * n + j] -= matrix[i * n + k] * matrix[j * n + k];
      matrix[i * n + j] /= matrix[j * n + j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i * n + k] * right[k];
    right[i] /= matrix[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) right[i] -= matrix[k * n + i] * right[k];
    right[i] /= matrix[i * n + i];
  }
}

/// Fits category + strategy by Newton's method. Coefficients: one for all, then one for each category and
/// each strategy but the first.
class AdditiveFit {
 public:
  explicit AdditiveFit(const Table& table)
      : table_(table), columns_(table.categories + table.strategies - 1), coefficients_(columns_) {}

  double run() {
    double best = penalized(coefficients_);
    for (int step = 0; step < most_fit_steps; ++step) {
      auto move = newton_move();
      auto next = coefficients_;
      double found = best;
      for (double length = 1; length > 1e-3; length /= 2) {  // a whole step may be too far
        for (std::size_t i = 0; i < columns_; ++i) next[i] = coefficients_[i] + length * move[i];
        found = penalized(next);
        if (found <= best) break;
      }
      if (found > best) break;
      coefficients_ = std::move(next);
      const double gained = best - found;
      best = found;
      if (gained <= precision * (1 + best)) break;
    }
    return deviance_at(coefficients_);
  }

 private:
  /// The columns of a cell that are 1: that of all, its category's and its strategy's; columns_ if it has
  /// none.
  std::array<std::size_t, 3> columns_of(std::size_t cell) const {
    const auto category = cell / table_.strategies, strategy = cell % table_.strategies;
    return {0, category == 0 ? columns_ : category,
            strategy == 0 ? columns_ : table_.categories - 1 + strategy};
  }
  double share_at(const std::vector<double>& coefficients, std::size_t cell) const {
    double sum = 0;
    for (const auto column : columns_of(cell))
      if (column < columns_) sum += coefficients[column];
    return std::clamp(1 / (1 + std::exp(-sum)), 1e-15, 1 - 1e-15);
  }
  double deviance_at(const std::vector<double>& coefficients) const {
    double sum = 0;
    for (std::size_t cell = 0; cell < table_.cells.size(); ++cell)
      if (table_.cells[cell].trials > 0) sum += deviance(table_.cells[cell], share_at(coefficients, cell));
    return sum;
  }
  double penalized(const std::vector<double>& coefficients) const {
    double sum = deviance_at(coefficients);
    for (const double coefficient : coefficients) sum += ridge * coefficient * coefficient;
    return sum;
  }
  std::vector<double> newton_move() const {
    std::vector<double> curvature(columns_ * columns_), slope(columns_);
    for (std::size_t i = 0; i < columns_; ++i) {
      curvature[i * columns_ + i] = ridge;
      slope[i] = -ridge * coefficients_[i];
    }
    for (std::size_t cell = 0; cell < table_.cells.size(); ++cell) {
      const auto& [trials, solved] = table_.cells[cell];
      if (trials == 0) continue;
      const double share = share_at(coefficients_, cell), weight = trials * share * (1 - share);
      const auto columns = columns_of(cell);
      for (const auto one : columns) {
        if (one == columns_) continue;
        slope[one] += solved - trials * share;
        for (const auto other : columns)
          if (other < columns_) curvature[one * columns_ + other] += weight;
      }
    }
    solve(curvature, slope);
    return slope;
  }

  const Table& table_;
  std::size_t columns_;
  std::vector<double> coefficients_;
};

/// What the two factors explain beside each other, and D0.
struct Drops {
  double null_deviance = 0, category = 0, strategy = 0;
};

Drops drops_of(const Table& table) {
  const double both = AdditiveFit(table).run();
  // Rounding, and the ridge, may leave a model of both a little worse than one of them.
  return {deviance_of_one_share(table), std::max(0.0, deviance_by(table, false) - both),
          std::max(0.0, deviance_by(table, true) - both)};
}

/// Numbers what occurs among `values` from 0, by size, and returns how many that are.
std::size_t renumber(std::vector<std::size_t>& values) {
  auto known = values;
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (auto& value : values)
    value = static_cast<std::size_t>(std::ranges::lower_bound(known, value) - known.begin());
  return known.size();
}

template <class T>
void shuffle(std::span<T> values, Random& random) {
  for (auto left = values.size(); left > 1; --left) std::swap(values[left - 1], values[random.below(left)]);
}

class Attributing {
 public:
  explicit Attributing(std::span<const SolvedTrial> trials) {
    std::vector<std::size_t> tasks;
    for (const auto& trial : trials) {
      tasks.push_back(trial.task);
      categories_.push_back(trial.category);
      strategies_.push_back(trial.strategy);
    }
    by_task_.resize(renumber(tasks));
    category_count_ = renumber(categories_);
    strategy_count_ = renumber(strategies_);
    task_categories_.resize(by_task_.size());
    for (std::size_t i = 0; i < trials.size(); ++i) {
      solved_.push_back(trials[i].solved ? 1 : 0);
      by_task_[tasks[i]].push_back(i);
      task_categories_[tasks[i]] = categories_[i];
    }
  }

  std::optional<Attribution> run() {
    const auto solved = std::count(solved_.begin(), solved_.end(), 1);
    if (category_count_ < 2 || strategy_count_ < 2 || solved == 0 || solved == std::ssize(solved_))
      return std::nullopt;
    const auto table = counted(each_task_once(), task_categories_);
    const auto drops = drops_of(table);
    Attribution result;
    result.trials = static_cast<int>(solved_.size());
    result.solved = static_cast<int>(solved);
    result.tasks = static_cast<int>(by_task_.size());
    result.null_deviance = drops.null_deviance;
    const auto intervals = share_intervals();
    result.category = effect(drops.category, category_count_, drops.null_deviance, intervals[0]);
    result.strategy = effect(drops.strategy, strategy_count_, drops.null_deviance, intervals[1]);
    result.category.share_alone = 1 - deviance_by(table, true) / drops.null_deviance;
    result.strategy.share_alone = 1 - deviance_by(table, false) / drops.null_deviance;
    result.category.p = category_p(drops.category);
    result.strategy.p = strategy_p(drops.strategy);
    return result;
  }

 private:
  static FactorEffect effect(double drop, std::size_t levels, double null_deviance,
                             const Interval& interval) {
    FactorEffect one;
    one.drop = drop;
    one.degrees = static_cast<int>(levels) - 1;
    one.share = drop / null_deviance;
    one.share_interval = interval;
    one.adjusted = (drop - one.degrees) / null_deviance;
    one.per_degree = drop / one.degrees;
    return one;
  }

  std::vector<std::size_t> each_task_once() const {
    std::vector<std::size_t> tasks(by_task_.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i] = i;
    return tasks;
  }

  /// Counts the trials of these tasks, of which each has the category that `categories` says.
  Table counted(const std::vector<std::size_t>& tasks, const std::vector<std::size_t>& categories) const {
    Table table(category_count_, strategy_count_);
    for (const auto task : tasks)
      for (const auto trial : by_task_[task]) {
        auto& cell = table.at(categories[task], strategies_[trial]);
        cell.trials += 1;
        cell.solved += solved_[trial];
      }
    return table;
  }

  /// Of the category's share and of the strategy's.
  std::array<Interval, 2> share_intervals() const {
    Random random(bootstrap_seed);
    std::array<std::vector<double>, 2> shares;
    std::vector<std::size_t> drawn(by_task_.size());
    for (int i = 0; i < attribution_resamples; ++i) {
      for (auto& task : drawn) task = random.below(by_task_.size());
      const auto drops = drops_of(counted(drawn, task_categories_));
      if (drops.null_deviance <= 0) continue;  // all drawn were solved, or none
      shares[0].push_back(drops.category / drops.null_deviance);
      shares[1].push_back(drops.strategy / drops.null_deviance);
    }
    std::array<Interval, 2> intervals;
    for (std::size_t factor = 0; factor < 2; ++factor)
      intervals[factor] = {quantile(shares[factor], 0.025), quantile(shares[factor], 0.975)};
    return intervals;
  }

  double category_p(double seen) const {
    Random random(dealing_seed);
    auto categories = task_categories_;
    int as_large = 0;
    for (int i = 0; i < attribution_resamples; ++i) {
      shuffle(std::span(categories), random);
      as_large += drops_of(counted(each_task_once(), categories)).category >= seen * (1 - drop_rounding);
    }
    return (1.0 + as_large) / (1.0 + attribution_resamples);
  }

  double strategy_p(double seen) {
    Random random(dealing_seed + 1);
    const auto kept = solved_;
    int as_large = 0;
    for (int i = 0; i < attribution_resamples; ++i) {
      for (const auto& trials : by_task_) deal_out(trials, random);
      as_large +=
          drops_of(counted(each_task_once(), task_categories_)).strategy >= seen * (1 - drop_rounding);
    }
    solved_ = kept;
    return (1.0 + as_large) / (1.0 + attribution_resamples);
  }

  /// Permutes the outcomes of one task's trials.
  void deal_out(const std::vector<std::size_t>& trials, Random& random) {
    for (auto left = trials.size(); left > 1; --left)
      std::swap(solved_[trials[left - 1]], solved_[trials[random.below(left)]]);
  }

  std::vector<int> solved_;                           // of each trial, 0 or 1
  std::vector<std::size_t> categories_, strategies_;  // of each trial, numbered from 0
  std::vector<std::vector<std::size_t>> by_task_;     // the trials of each task
  std::vector<std::size_t> task_categories_;
  std::size_t category_count_ = 0, strategy_count_ = 0;
};

}  // namespace

std::optional<Attribution> attribute(std::span<const SolvedTrial> trials) {
  return Attributing(trials).run();
}

}  // namespace ridgeline::compare
