// The `adversary` figures: a scorecard of the judge. Every candidate of tests/testcases, misbehaving or
// honest, goes through the real judge and runner, and counts as what its verdict made of it.
//
//   bench-adversary [--language cpp|cuda|python|triton]... [--repeat N] [--only SUBSTRING]
//   bench-adversary --short             two candidates of each class, in C++
//
// `--only` takes the candidates whose "language/class/name" holds the text. With `--repeat` each is judged N
// times, and the worst counts. A class is a folder of tests/testcases. `python` is modules of torch on a
// CPU; Triton's honest kernels are those of tests/benchmark_tasks/kernels. A language whose tools this
// machine lacks is left out, and a line says why.
//
// tests/bench/adversary/scorecard.hpp defines caught, harmless, missed, passed, refused and accused.
//
// Prints the machine, the definitions, a table by language and class, what was missed, refused or accused,
// and a JSON line a figure; in the short form all but the JSON lines go to stderr, as progress always does.
// Ends with 1 where a goal is missed, with 3 where nothing could be judged.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.hpp"
#include "tests/bench/adversary/judging/judging.hpp"
#include "tests/bench/adversary/judging/machine_line.hpp"
#include "tests/bench/adversary/options.hpp"
#include "tests/bench/adversary/scorecard.hpp"
#include "tests/bench/short_form.hpp"

namespace ridgeline::bench {
namespace {

struct Scorer {
  const char* language;
  std::vector<Scored> (*score)(const AdversaryOptions&);
};
constexpr std::array kScorers{Scorer{"cpp", score_cpp}, Scorer{"cuda", score_cuda},
                              Scorer{"python", score_python}, Scorer{"triton", score_triton}};

int score_all(const AdversaryOptions& options) {
  std::FILE* const people = options.brief ? stderr : stdout;
  fmt::print(people, "{}\n{}", machine_line(), standing_definitions);
  std::fflush(people);
  std::vector<Scored> all;
  std::string left_out;
  for (const auto& [language, score] : kScorers) {
    if (!options.languages.contains(language)) continue;
    try {
      for (auto& scored : score(options)) all.push_back(std::move(scored));
    } catch (const LeftOut& reason) {
      left_out += fmt::format("left out: {}: {}\n", language, reason.what());
    }
  }
  fmt::print(people, "{}{}{}", all.empty() ? "" : "\n" + table_of(all), left_out, complaints_of(all));
  std::fflush(people);
  for (const auto& line : figures_of(all, options.repeat)) std::puts(line.c_str());
  if (all.empty() && left_out.empty()) throw BadInput("no candidate holds '" + options.only + "'");
  if (all.empty()) return 3;
  return meets_goals(all) ? 0 : 1;
}

}  // namespace
}  // namespace ridgeline::bench

int main(int count, char** words) {
  try {
    const bool brief = ridgeline::bench::take_short(count, words);
    return ridgeline::bench::score_all(
        ridgeline::bench::read_adversary_options({words + 1, words + count}, brief));
  } catch (const ridgeline::Error& error) {
    std::fprintf(stderr, "bench-adversary: %s\n", error.what());
    return error.exit_code();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-adversary: %s\n", error.what());
    return 3;
  }
}
