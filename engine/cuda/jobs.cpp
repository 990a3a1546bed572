#include "engine/cuda/jobs.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "engine/cuda/device.hpp"
#include "engine/cuda/driver.hpp"
#include "engine/cuda/generate_kernel.hpp"
#include "engine/cuda/job_kernels.hpp"
#include "engine/cuda/number_text.hpp"
#include "engine/cuda/nvrtc.hpp"

namespace ridgeline::cuda {
namespace {

constexpr std::uint64_t kChunk = 65536;  // `chunk` in job_kernels.hpp
constexpr unsigned kThreads = 256;
// Room for the jobs of a usual batch from the start: growing frees memory, which waits for all work of the
// context, and may be asked for while a thread watches the device (possession_watch.hpp).
constexpr std::size_t kUsualWords = std::size_t{1} << 16;
constexpr std::uint64_t kNoDifference = std::numeric_limits<std::uint64_t>::max();

/// The words that a job takes: its members, and the number of chunks before it.
template <class Job>
constexpr std::size_t kWordsOf = sizeof(Job) / sizeof(std::uint64_t) + 1;

template <class Job>
std::uint64_t bytes_of(const Job& job) {
  return job.bytes;
}
std::uint64_t bytes_of(const Generate& job) {
  return job.count * size_of(job.numbers.type);
}

/// A kernel's view of a list of jobs: the jobs, then the number of chunks before each.
struct PackedJobs {
  std::size_t first = 0, words = 0;  // in the buffer
  CUdeviceptr jobs = 0, chunks_before = 0;
  int count = 0;
  std::uint64_t chunks = 0;
};

template <class Job>
PackedJobs pack(const std::vector<Job>& jobs, std::size_t first, std::uint64_t* buffer, CUdeviceptr there) {
  static_assert(sizeof(Job) % sizeof(std::uint64_t) == 0);
  const auto before = first + jobs.size() * (kWordsOf<Job> - 1);
  PackedJobs packed{.first = first,
                    .words = jobs.size() * kWordsOf<Job>,
                    .jobs = there + first * sizeof(std::uint64_t),
                    .chunks_before = there + before * sizeof(std::uint64_t),
                    .count = static_cast<int>(jobs.size())};
  if (!jobs.empty()) std::memcpy(buffer + first, jobs.data(), jobs.size() * sizeof(Job));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    buffer[before + i] = packed.chunks;
    packed.chunks += (bytes_of(jobs[i]) + kChunk - 1) / kChunk;
  }
  return packed;
}

}  // namespace

Jobs::Jobs(int device) {
  const auto facts = device_facts(device);
  // A multiple of the multiprocessors: enough blocks to hide memory latency, few enough for one wave.
  blocks_ = static_cast<unsigned>(4 * facts.multiprocessors);
  const auto compile_generate = [major = facts.major, minor = facts.minor] {
    return compile(std::string(kChunksOfJobs) + kNumbersBegin + number_text() + kGenerateKernel, major,
                   minor);
  };
  generate_cubin_ = std::async(std::launch::async, compile_generate).share();
  const auto cubin = compile(std::string(kChunksOfJobs) + kJobKernels, facts.major, facts.minor);
  check(driver().cuModuleLoadData(&module_, cubin.data()), "loading the judge's own kernels");
  check(driver().cuModuleGetFunction(&move_, module_, "move"), "finding move");
  check(driver().cuModuleGetFunction(&compare_, module_, "compare"), "finding compare");
  check(driver().cuModuleGetFunction(&read_, module_, "read"), "finding read");
  check(driver().cuModuleGetFunction(&cycles_, module_, "cycles"), "finding cycles");
  check(driver().cuModuleGetFunction(&nothing_, module_, "nothing"), "finding nothing");
  check(driver().cuStreamCreate(&stream_, CU_STREAM_DEFAULT), "making a stream");
  reserve_words(kUsualWords);
}

Jobs::~Jobs() {
  if (staged_ != nullptr) driver().cuMemFreeHost(staged_);
  if (buffer_ != 0) driver().cuMemFree(buffer_);
  if (stream_) driver().cuStreamDestroy(stream_);
  if (generate_module_) driver().cuModuleUnload(generate_module_);
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

CUfunction Jobs::generate() {
  if (generate_) return generate_;
  const auto& cubin = generate_cubin_.get();
  check(driver().cuModuleLoadData(&generate_module_, cubin.data()), "loading the kernel that draws numbers");
  check(driver().cuModuleGetFunction(&generate_, generate_module_, "generate"), "finding generate");
  return generate_;
}

void Jobs::begin_evicting(const Evict& evict) {
  CUdeviceptr memory = evict.memory;
  CUdeviceptr sum = buffer_;  // where the sum of what was read would be written, which never happens
  std::uint64_t count = evict.bytes / 16;
  void* arguments[] = {&memory, &count, &sum};
  launch(read_, count, arguments);
}

std::vector<std::optional<std::uint64_t>> Jobs::run(const JobList& list) {
  std::vector<std::optional<std::uint64_t>> differences(list.compares.size() + list.checks.size());
  const std::size_t words = kWordsOf<Move> * list.moves.size() + kWordsOf<Compare> * list.compares.size() +
                            kWordsOf<Generate> * (list.generations.size() + list.checks.size()) +
                            differences.size();
  reserve_words(words);
  std::size_t end = 0;
  const auto packed = [&](const auto& jobs) {
    const auto of_kind = pack(jobs, end, staged_, buffer_);
    end += of_kind.words;
    return of_kind;
  };
  auto moves = packed(list.moves), generations = packed(list.generations), compares = packed(list.compares),
       checks = packed(list.checks);
  if (moves.chunks + generations.chunks + compares.chunks + checks.chunks + list.evict.bytes == 0)
    return differences;
  std::fill_n(staged_ + end, differences.size(), kNoDifference);
  if (words > 0) send(words);
  const auto begin = [&](CUfunction function, PackedJobs& jobs, CUdeviceptr different) {
    void* arguments[] = {&jobs.jobs, &jobs.chunks_before, &jobs.count, &jobs.chunks, &different};
    launch(function, jobs.chunks, arguments);  // `move` takes the first four
  };
  const auto different = buffer_ + end * sizeof(std::uint64_t);
  if (moves.chunks > 0) begin(move_, moves, 0);
  if (generations.chunks > 0) begin(generate(), generations, 0);
  if (list.evict.bytes > 0) begin_evicting(list.evict);
  if (compares.chunks > 0) begin(compare_, compares, different);
  if (checks.chunks > 0) begin(generate(), checks, different + list.compares.size() * sizeof(std::uint64_t));
  if (compares.chunks + checks.chunks > 0) read_back(end, differences.size());
  finish();
  for (std::size_t i = 0; i < differences.size(); ++i)
    if (staged_[end + i] != kNoDifference) differences[i] = staged_[end + i];
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

}  // namespace ridgeline::cuda
