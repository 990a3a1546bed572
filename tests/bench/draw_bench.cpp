// Measures how fast the inputs of a timed call are drawn on this CPU, one thread.
//
//   bench-draw            numbers beside a copy of as many bytes, then each native task's timed cases
//   bench-draw --short    the same with fewer repeats and three tasks
//
// Prints JSON lines. `draw_us` is one instance of a case, `reference_us` one run of the task's reference at
// the task's dtype, which is about what its baseline takes.
#include <ATen/Parallel.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <vector>

#include "benchmark_tasks/loader.hpp"
#include "engine/verifier/input_stream.hpp"
#include "engine/verifier/number_blocks.hpp"
#include "engine/verifier/reference.hpp"
#include "tests/bench/short_form.hpp"

namespace ridgeline::verifier {
namespace {

namespace fs = std::filesystem;

/// The shortest of several runs, in seconds.
template <class Work>
double shortest_of(int repeats, Work&& work) {
  double shortest = 1e9;
  for (int i = 0; i < repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work(i);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    shortest = std::min(shortest, took.count());
  }
  return shortest;
}

void print_number_costs(int repeats) {
  using enum numbers::NumberType;
  using enum numbers::NumberDraw;
  constexpr std::size_t count = 1 << 20;
  const struct {
    const char* name;
    numbers::NumberType type;
    numbers::NumberDraw draw;
  } kinds[] = {{"float32 normal", f32, normal},   {"float32 uniform", f32, uniform},
               {"bfloat16 normal", bf16, normal}, {"bfloat16 uniform", bf16, uniform},
               {"float16 normal", f16, normal},   {"float64 normal", f64, normal},
               {"int64 uniform", i64, uniform}};
  for (const auto& kind : kinds) {
    const numbers::Generation given{
        .key = 1, .high = 1, .top = 1, .range = 100, .type = kind.type, .draw = kind.draw};
    const auto bytes = count * size_of(kind.type);
    std::vector<char> from(bytes, 1), to(bytes, 2);
    const double drawn = shortest_of(repeats, [&](int) { write_numbers(given, 0, count, to.data()); });
    const double copied = shortest_of(repeats, [&](int i) {
      from[0] = static_cast<char>(i);
      std::memcpy(to.data(), from.data(), bytes);
    });
    fmt::print(
        "{{\"bench\": \"draw\", \"numbers\": \"{}\", \"ns_each\": {:.3f}, \"copy_ns_each\": {:.3f}}}\n",
        kind.name, 1e9 * drawn / count, 1e9 * copied / count);
  }
}

void print_case_costs(const Task& task, int repeats) {
  const auto reference = TorchScript::compile(task);
  for (const auto& one : task.cases) {
    if (!one.timed || one.backend == "cuda") continue;
    const InputStream stream(task, one, InputSet::standard, 1);
    std::size_t most = 1;
    for (std::size_t a = 0; a < stream.arguments(); ++a) most = std::max(most, stream.bytes(a));
    std::vector<std::byte> buffer(most);
    const double drawn = shortest_of(repeats, [&](int i) {
      for (std::size_t a = 0; a < stream.arguments(); ++a)
        stream.refill(static_cast<std::uint64_t>(i), a, buffer.data());
    });
    const auto inputs = stream.rebuild(0);
    const double ran = shortest_of(repeats, [&](int) { reference.run(inputs, one); });
    fmt::print(
        "{{\"bench\": \"draw\", \"case\": \"{}/{}\", \"draw_us\": {:.1f}, \"reference_us\": {:.1f}}}\n",
        task.name, one.name, 1e6 * drawn, 1e6 * ran);
  }
}

int run(bool brief) {
  at::set_num_threads(1);
  const int repeats = brief ? 2 : 20;
  print_number_costs(repeats);
  int tasks = 0;
  for (const auto& file :
       fs::recursive_directory_iterator(fs::path(RIDGELINE_SOURCE_DIR) / "benchmark_tasks"))
    if (file.path().extension() == ".yaml" && (!brief || tasks < 3)) {
      print_case_costs(benchmark_tasks::load_task(file.path()), repeats);
      ++tasks;
    }
  return 0;
}

}  // namespace
}  // namespace ridgeline::verifier

int main(int argc, char** argv) {
  try {
    return ridgeline::verifier::run(ridgeline::bench::take_short(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-draw: %s\n", error.what());
    return 3;
  }
}
