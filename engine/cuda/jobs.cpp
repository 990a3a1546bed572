#include "engine/cuda/jobs.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/cuda/device.hpp"
#include "engine/cuda/driver.hpp"
#include "engine/cuda/job_kernels.hpp"
#include "engine/cuda/nvrtc.hpp"

namespace ridgeline::cuda {
namespace {

constexpr std::uint64_t kChunk = 65536;  // `chunk` in job_kernels.hpp
constexpr unsigned kThreads = 256;
constexpr std::uint64_t kNoDifference = std::numeric_limits<std::uint64_t>::max();

constexpr std::size_t kWords =
    5;  // words that a job takes: its four members, and the number of chunks before it

/// Writes the device's view of a list of jobs to `words`: the jobs, then the number of chunks before each.
/// Returns the number of all chunks.
template <class Job>
std::uint64_t pack(const std::vector<Job>& jobs, std::uint64_t* words) {
  static_assert(sizeof(Job) == (kWords - 1) * sizeof(std::uint64_t));
  if (!jobs.empty()) std::memcpy(words, jobs.data(), jobs.size() * sizeof(Job));
  std::uint64_t chunks = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    words[(kWords - 1) * jobs.size() + i] = chunks;
    chunks += (jobs[i].bytes + kChunk - 1) / kChunk;
  }
  return chunks;
}

/// The arguments of a kernel that works off a list of jobs.
struct List {
  CUdeviceptr jobs, first;
  int count;
  std::uint64_t chunks;
};

template <class Job>
List list_of(const std::vector<Job>& jobs, CUdeviceptr at, std::uint64_t chunks) {
  return {at, at + jobs.size() * sizeof(Job), static_cast<int>(jobs.size()), chunks};
}

}  // namespace

Jobs::Jobs(int device) {
  const auto facts = device_facts(device);
  // A multiple of the multiprocessors: enough blocks to hide memory latency, few enough for one wave.
  blocks_ = static_cast<unsigned>(4 * facts.multiprocessors);
  const auto cubin = compile(kJobKernels, facts.major, facts.minor);
  check(driver().cuModuleLoadData(&module_, cubin.data()), "loading the judge's own kernels");
  check(driver().cuModuleGetFunction(&move_, module_, "move"), "finding move");
  check(driver().cuModuleGetFunction(&compare_, module_, "compare"), "finding compare");
  check(driver().cuModuleGetFunction(&read_, module_, "read"), "finding read");
  check(driver().cuModuleGetFunction(&cycles_, module_, "cycles"), "finding cycles");
  check(driver().cuModuleGetFunction(&nothing_, module_, "nothing"), "finding nothing");
  check(driver().cuStreamCreate(&stream_, CU_STREAM_DEFAULT), "making a stream");
}

Jobs::~Jobs() {
  if (staged_ != nullptr) driver().cuMemFreeHost(staged_);
  if (buffer_ != 0) driver().cuMemFree(buffer_);
  if (stream_) driver().cuStreamDestroy(stream_);
  if (module_) driver().cuModuleUnload(module_);
}

void Jobs::reserve_words(std::size_t words) {
  // Grows to twice what is needed, so that batches of similar length do not allocate again.
  if (words <= words_) return;
  words_ = 0;
  if (staged_ != nullptr) driver().cuMemFreeHost(std::exchange(staged_, nullptr));
  if (buffer_ != 0) driver().cuMemFree(std::exchange(buffer_, 0));
  const std::size_t bytes = 2 * words * sizeof(std::uint64_t);
  void* staged = nullptr;
  check(driver().cuMemHostAlloc(&staged, bytes, 0), "allocating the list of jobs on the host");
  staged_ = static_cast<std::uint64_t*>(staged);
  check(driver().cuMemAlloc(&buffer_, bytes), "allocating the list of jobs");
  words_ = 2 * words;
}

void Jobs::send(std::size_t words) {
  check(driver().cuMemcpyHtoDAsync(buffer_, staged_, words * sizeof(std::uint64_t), stream_),
        "sending the list of jobs");
}

void Jobs::read_back(std::size_t first, std::size_t words) {
  check(driver().cuMemcpyDtoHAsync(staged_ + first, buffer_ + first * sizeof(std::uint64_t),
                                   words * sizeof(std::uint64_t), stream_),
        "reading what differs");
}

void Jobs::launch(CUfunction function, std::uint64_t chunks, void** arguments) {
  const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>(chunks, blocks_));
  check(driver().cuLaunchKernel(function, blocks, 1, 1, kThreads, 1, 1, 0, stream_, arguments, nullptr),
        "launching the judge's own kernel");
}

void Jobs::finish() {
  check(driver().cuStreamSynchronize(stream_), "the judge's own kernel");
}

std::vector<std::optional<std::uint64_t>> Jobs::run(const std::vector<Move>& moves,
                                                    const std::vector<Compare>& compares) {
  const std::size_t move_words = kWords * moves.size(), compare_words = kWords * compares.size();
  const std::size_t different = move_words + compare_words, words = different + compares.size();
  std::vector<std::optional<std::uint64_t>> differences(compares.size());
  reserve_words(words);
  const auto to_move = pack(moves, staged_), to_compare = pack(compares, staged_ + move_words);
  if (to_move + to_compare == 0) return differences;
  std::fill_n(staged_ + different, compares.size(), kNoDifference);
  send(words);
  if (to_move > 0) {
    auto list = list_of(moves, buffer_, to_move);
    void* arguments[] = {&list.jobs, &list.first, &list.count, &list.chunks};
    launch(move_, to_move, arguments);
  }
  if (to_compare > 0) {
    auto list = list_of(compares, buffer_ + move_words * sizeof(std::uint64_t), to_compare);
    CUdeviceptr to = buffer_ + different * sizeof(std::uint64_t);
    void* arguments[] = {&list.jobs, &list.first, &list.count, &list.chunks, &to};
    launch(compare_, to_compare, arguments);
    read_back(different, compares.size());
  }
  finish();
  for (std::size_t i = 0; i < differences.size(); ++i)
    if (staged_[different + i] != kNoDifference) differences[i] = staged_[different + i];
  return differences;
}

void Jobs::launch_empty_kernel() {
  launch(nothing_, 1, nullptr);
  finish();
}

double Jobs::clock() {
  reserve_words(2);
  staged_[0] = 0, staged_[1] = 1;  // cycles, nanoseconds
  send(2);
  void* arguments[] = {&buffer_};
  launch(cycles_, 1, arguments);
  read_back(0, 2);
  finish();
  return 1e9 * static_cast<double>(staged_[0]) / static_cast<double>(staged_[1]);
}

void Jobs::evict_l2_by_reading(CUdeviceptr memory, std::size_t bytes) {
  reserve_words(1);  // the address to write the sum to, which never happens
  std::uint64_t count = bytes / 16;
  void* arguments[] = {&memory, &count, &buffer_};
  launch(read_, count, arguments);
  finish();
}

}  // namespace ridgeline::cuda
