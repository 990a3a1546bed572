#include "engine/cuda/jobs.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/cuda/device.hpp"
#include "engine/cuda/driver.hpp"
#include "engine/cuda/job_kernels.hpp"
#include "engine/cuda/nvrtc.hpp"

namespace ridgeline::cuda {
namespace {

constexpr std::uint64_t kChunk = 65536;  // job_kernels.hpp
constexpr unsigned kThreads = 256;
constexpr std::uint64_t kSame = std::numeric_limits<std::uint64_t>::max();

/// The device's view of a list of jobs: the jobs, then how many chunks come before each.
struct Packed {
  std::vector<std::uint64_t> words;
  std::uint64_t chunks = 0;
};

template <class Job>
Packed pack(const std::vector<Job>& jobs) {
  static_assert(sizeof(Job) == 4 * sizeof(std::uint64_t));
  Packed packed;
  packed.words.resize(5 * jobs.size());
  std::memcpy(packed.words.data(), jobs.data(), jobs.size() * sizeof(Job));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    packed.words[4 * jobs.size() + i] = packed.chunks;
    packed.chunks += (jobs[i].bytes + kChunk - 1) / kChunk;
  }
  return packed;
}

}  // namespace

Jobs::Jobs(int device) {
  const auto facts = device_facts(device);
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
  if (buffer_ != 0) driver().cuMemFree(buffer_);
  if (stream_) driver().cuStreamDestroy(stream_);
  if (module_) driver().cuModuleUnload(module_);
}

CUdeviceptr Jobs::upload(const void* data, std::size_t bytes, std::size_t more) {
  if (buffer_bytes_ < bytes + more) {
    if (buffer_ != 0) driver().cuMemFree(buffer_);
    buffer_ = 0;
    buffer_bytes_ = 2 * (bytes + more);
    check(driver().cuMemAlloc(&buffer_, buffer_bytes_), "allocating the list of jobs");
  }
  check(driver().cuMemcpyHtoD(buffer_, data, bytes), "sending the list of jobs");
  return buffer_;
}

void Jobs::launch(CUfunction function, std::uint64_t chunks, void** arguments) {
  const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>(chunks, blocks_));
  check(driver().cuLaunchKernel(function, blocks, 1, 1, kThreads, 1, 1, 0, stream_, arguments, nullptr),
        "launching the judge's own kernel");
  check(driver().cuStreamSynchronize(stream_), "the judge's own kernel");
}

void Jobs::run(const std::vector<Move>& moves) {
  auto packed = pack(moves);
  if (packed.chunks == 0) return;
  CUdeviceptr jobs = upload(packed.words.data(), packed.words.size() * sizeof(std::uint64_t), 0);
  CUdeviceptr first = jobs + moves.size() * sizeof(Move);
  int count = static_cast<int>(moves.size());
  void* arguments[] = {&jobs, &first, &count, &packed.chunks};
  launch(move_, packed.chunks, arguments);
}

std::vector<std::optional<std::uint64_t>> Jobs::run(const std::vector<Compare>& compares) {
  std::vector<std::optional<std::uint64_t>> found(compares.size());
  auto packed = pack(compares);
  if (packed.chunks == 0) return found;
  const std::size_t bytes = packed.words.size() * sizeof(std::uint64_t);
  packed.words.resize(packed.words.size() + compares.size(), kSame);
  CUdeviceptr jobs = upload(packed.words.data(), packed.words.size() * sizeof(std::uint64_t), 0);
  CUdeviceptr first = jobs + compares.size() * sizeof(Compare), different = jobs + bytes;
  int count = static_cast<int>(compares.size());
  void* arguments[] = {&jobs, &first, &count, &packed.chunks, &different};
  launch(compare_, packed.chunks, arguments);
  std::vector<std::uint64_t> offsets(compares.size());
  check(driver().cuMemcpyDtoH(offsets.data(), different, offsets.size() * sizeof(std::uint64_t)),
        "reading what differs");
  for (std::size_t i = 0; i < offsets.size(); ++i)
    if (offsets[i] != kSame) found[i] = offsets[i];
  return found;
}

void Jobs::nudge() {
  launch(nothing_, 1, nullptr);
}

double Jobs::clock() {
  std::uint64_t seen[2] = {0, 1};  // cycles, nanoseconds
  CUdeviceptr to = upload(seen, sizeof seen, 0);
  void* arguments[] = {&to};
  launch(cycles_, 1, arguments);
  check(driver().cuMemcpyDtoH(seen, to, sizeof seen), "reading the device's clock");
  return 1e9 * static_cast<double>(seen[0]) / static_cast<double>(seen[1]);
}

void Jobs::read_through(CUdeviceptr memory, std::size_t bytes) {
  std::uint64_t nothing = 0, count = bytes / 16;
  CUdeviceptr never = upload(&nothing, sizeof nothing, 0);
  void* arguments[] = {&memory, &count, &never};
  launch(read_, count, arguments);
}

}  // namespace ridgeline::cuda
