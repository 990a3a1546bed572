#include "engine/verifier/repeats.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "engine/verifier/parallel.hpp"

namespace ridgeline::verifier {
namespace {

constexpr std::size_t draws_for_bits = 8;  // of 28 pairs
constexpr double least_chance = 0.125;
constexpr std::size_t shortest_window = 8;                    // elements
constexpr std::size_t kept_windows = std::size_t{1} << 17;    // on average, of each call
constexpr std::uint64_t window_base = 0x9E3779B97F4A7C15ULL;  // odd, so that no factor is lost

std::uint64_t word_of(double x) {
  return std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x);
}

/// The finalizer of SplitMix64.
std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

std::size_t pairs_that_agree(std::span<const std::uint64_t> words) {
  std::size_t same = 0;
  for (std::size_t k = 1; k < words.size(); ++k)
    for (std::size_t j = 0; j < k; ++j) same += words[k] == words[j];
  return same;
}

struct HashedWindow {
  std::uint64_t hash;
  std::uint32_t call;
  std::size_t place;
};

/// Searches for stretches of one set of calls.
class RepeatSearch {
 public:
  RepeatSearch(const std::vector<std::span<const double>>& calls, std::span<const double> bits,
               double demanded)
      : calls_(calls), bits_(bits), elements_(calls.front().size()), demanded_(demanded) {}

  std::optional<Repeat> run() {
    const double each = bits_.back() / static_cast<double>(elements_);
    if (bits_.back() < demanded_) return std::nullopt;
    // Shorter than the shortest stretch of average elements, so that each such stretch has several windows.
    window_ = std::clamp(static_cast<std::size_t>(std::ceil(0.6 * demanded_ / each)), shortest_window,
                         std::max(shortest_window, elements_));
    if (window_ > elements_) return std::nullopt;
    for (std::uint32_t call = 0; call < calls_.size(); ++call) collect(call);
    std::sort(windows_.begin(), windows_.end(), [](const HashedWindow& a, const HashedWindow& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.call != b.call ? a.call < b.call : a.place < b.place;
    });
    for (std::size_t i = 1; i < windows_.size(); ++i)
      if (windows_[i].hash == windows_[i - 1].hash) {
        auto repeat = stretch(windows_[i - 1], windows_[i]);
        repeat.bits = surprise(repeat);
        if (repeat.bits >= demanded_) return repeat;
      }
    return std::nullopt;
  }

 private:
  /// Hashes all windows of a call by a rolling sum, and keeps those that carry enough bits.
  void collect(std::uint32_t call) {
    const auto values = calls_[call];
    const std::uint64_t skipped = std::bit_ceil(std::max<std::size_t>(1, elements_ / kept_windows)) - 1;
    std::uint64_t last = 1, hash = 0;
    for (std::size_t i = 1; i < window_; ++i) last *= window_base;
    for (std::size_t i = 0; i < elements_; ++i) {
      if (i >= window_) hash -= scrambled(word_of(values[i - window_])) * last;
      hash = hash * window_base + scrambled(word_of(values[i]));
      if (i + 1 < window_) continue;
      const std::size_t place = i + 1 - window_;
      const auto chosen = scrambled(hash);
      // The window's values decide, so the two places of a stretch are kept or skipped alike.
      if ((chosen & skipped) != 0 || bits_[place + window_] - bits_[place] < demanded_ / 2) continue;
      windows_.push_back({chosen, call, place});
    }
  }

  /// Extends what two windows share to both sides. Nothing is shared if their hashes met by chance.
  Repeat stretch(const HashedWindow& a, const HashedWindow& b) const {
    const auto one = calls_[a.call], other = calls_[b.call];
    const auto same = [&](std::size_t i, std::size_t j) { return word_of(one[i]) == word_of(other[j]); };
    std::size_t begin = a.place, other_begin = b.place, length = 0;
    while (begin > 0 && other_begin > 0 && same(begin - 1, other_begin - 1)) --begin, --other_begin;
    while (std::max(begin, other_begin) + length < elements_ && same(begin + length, other_begin + length))
      ++length;
    return {a.call, begin, b.call, other_begin, length};
  }

  double surprise(const Repeat& repeat) const {
    const auto bits_at = [&](std::size_t place) { return bits_[place + repeat.length] - bits_[place]; };
    return (bits_at(repeat.place) + bits_at(repeat.other_place)) / 2;
  }

  const std::vector<std::span<const double>>& calls_;
  std::span<const double> bits_;
  std::size_t elements_, window_ = 0;
  double demanded_;
  std::vector<HashedWindow> windows_;
};

}  // namespace

std::vector<double> bits_before(const DrawRows& draws) {
  const std::size_t used = std::min(draws.count(), draws_for_bits), elements = draws.elements();
  const std::size_t pairs = used * (used - 1) / 2;
  std::vector<double> carried(pairs + 1);  // by an element in which so many pairs of draws agree
  for (std::size_t same = 0; same <= pairs; ++same) {
    const double chance = pairs > 0 ? static_cast<double>(same) / static_cast<double>(pairs) : 1;
    carried[same] = -std::log2(std::max(chance, least_chance));
  }
  std::vector<double> bits(elements + 1, 0);
  in_ranges(static_cast<std::int64_t>(elements), [&](std::int64_t begin, std::int64_t end) {
    std::array<std::array<double, elements_together>, draws_for_bits> rooms;
    std::array<std::span<const double>, draws_for_bits> rows;
    for (auto first = static_cast<std::size_t>(begin); first < static_cast<std::size_t>(end);
         first += elements_together) {
      const std::size_t length = std::min(elements_together, static_cast<std::size_t>(end) - first);
      for (std::size_t k = 0; k < used; ++k) rows[k] = draws.part(k, first, length, rooms[k]);
      for (std::size_t i = 0; i < length; ++i) {
        std::array<std::uint64_t, draws_for_bits> words;
        for (std::size_t k = 0; k < used; ++k) words[k] = word_of(rows[k][i]);
        bits[first + i + 1] = carried[pairs_that_agree(std::span(words).first(used))];
      }
    }
  });
  for (std::size_t i = 0; i < elements; ++i) bits[i + 1] += bits[i];
  return bits;
}

double bits_demanded(double elements, double p_value) {
  return 2 * (2 * std::log2(elements) - 1 - std::log2(p_value));
}

std::optional<Repeat> find_repeat(const std::vector<std::span<const double>>& calls,
                                  std::span<const double> bits, double demanded) {
  if (calls.empty() || calls.front().empty()) return std::nullopt;
  return RepeatSearch(calls, bits, demanded).run();
}

}  // namespace ridgeline::verifier
