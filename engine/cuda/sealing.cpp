#include "engine/cuda/sealing.hpp"

#include <string>
#include <utility>

#include "engine/cuda/device.hpp"
#include "engine/cuda/driver.hpp"
#include "engine/cuda/generate_kernel.hpp"
#include "engine/cuda/number_text.hpp"
#include "engine/cuda/nvrtc.hpp"
#include "engine/cuda/sealing_kernels.hpp"

namespace ridgeline::cuda {
namespace {

constexpr unsigned kSealingThreads = 256;  // of_block in sealing_kernels.hpp has as many
// Lays out the scratch memory, in words. `one` holds 1: as the count of published keys it lets await_key go
// on at once.
enum ScratchWord : std::size_t {
  sums = 0,
  blocks_done,
  key_word,
  one,
  missing,
  result,
  written = result + 3,
  of_blocks = written + 1,  // two words a block
};
// Room for the arguments of a usual batch from the start: growing frees memory, which waits for all work of
// the context, also for a thread that watches the device.
constexpr std::size_t kUsualPieces = 4096;
constexpr int kLaunchesAhead = 8;  // of 30 µs each on an H100, longer than some twenty launches

CUdeviceptr word(CUdeviceptr memory, std::size_t index) {
  return memory + index * sizeof(std::uint64_t);
}

CUdeviceptr allocated(std::size_t bytes, const char* what) {
  CUdeviceptr memory = 0;
  check(driver().cuMemAlloc(&memory, bytes), what);
  return memory;
}

}  // namespace

std::vector<char> compile_sealing(int major, int minor) {
  return compile(std::string(kNumbersBegin) + number_text() + kSealingKernels, major, minor);
}

Sealing::Sealing(std::span<const char> cubin, int device, CUstream stream)
    : stream_(stream), blocks_(static_cast<unsigned>(2 * device_facts(device).multiprocessors)) {
  check(driver().cuModuleLoadData(&module_, cubin.data()), "loading the kernels that seal inputs");
  for (const auto& [function, name] :
       {std::pair(&await_key_, "await_key"), {&seal_, "seal"}, {&evict_, "evict"}, {&digest_, "digest"}})
    check(driver().cuModuleGetFunction(function, module_, name), name);
  std::vector<std::uint64_t> initial(of_blocks + 2 * blocks_);
  initial[one] = 1;
  const std::size_t bytes = initial.size() * sizeof initial[0];
  scratch_ = allocated(bytes, "allocating what digests are made of");
  check(driver().cuMemcpyHtoD(scratch_, initial.data(), bytes), "clearing what digests are made of");
  pieces_ = allocated(kUsualPieces * sizeof(DeviceRange), "allocating the list of pieces");
  capacity_ = kUsualPieces;
  for (auto& event : events_) check(driver().cuEventCreate(&event, CU_EVENT_DEFAULT), "making an event");
  launch_each_once();
}

Sealing::~Sealing() {
  for (auto* const event : events_)
    if (event) driver().cuEventDestroy(event);
  if (pieces_ != 0) driver().cuMemFree(pieces_);
  if (scratch_ != 0) driver().cuMemFree(scratch_);
  if (module_) driver().cuModuleUnload(module_);
}

/// A driver may load a kernel at its first launch only. It waits for all work of the context then, also for a
/// thread that watches the device.
void Sealing::launch_each_once() {
  await_key({word(scratch_, one), word(scratch_, one), word(scratch_, missing)}, 0);
  toggle(0, 0);
  digest_now(0, 0, 0, {scratch_, 16});
}

void Sealing::launch(CUfunction function, unsigned blocks, unsigned threads, void** arguments) {
  check(driver().cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream_, arguments, nullptr),
        "launching a kernel that seals inputs");
}

void Sealing::upload(std::span<const DeviceRange> pieces) {
  wait();  // for those who read the list before
  if (pieces.size() > capacity_) {
    driver().cuMemFree(std::exchange(pieces_, 0));
    capacity_ = 0;
    pieces_ = allocated(pieces.size_bytes(), "allocating the list of pieces");
    capacity_ = pieces.size();
  }
  if (pieces.empty()) return;
  check(driver().cuMemcpyHtoDAsync(pieces_, pieces.data(), pieces.size_bytes(), stream_),
        "sending the list of pieces");
}

void Sealing::set_key(std::uint64_t key) {
  check(driver().cuMemcpyHtoDAsync(word(scratch_, key_word), &key, sizeof key, stream_), "sending a key");
}

void Sealing::await_key(const KeyPlaces& places, std::uint64_t call, std::uint64_t limit) {
  CUdeviceptr published = places.published, keys = places.keys, missing_key = places.missing;
  CUdeviceptr key = word(scratch_, key_word);
  void* arguments[] = {&published, &keys, &call, &key, &missing_key, &limit};
  launch(await_key_, 1, 1, arguments);
}

void Sealing::toggle(std::size_t first, std::size_t count) {
  toggle_into(first, first, count, 0);
}

void Sealing::seal_piece(std::size_t from, std::size_t to, std::size_t number) {
  toggle_into(from, to, 1, number);
}

void Sealing::toggle_into(std::size_t from, std::size_t to, std::size_t count, std::size_t number) {
  CUdeviceptr source = pieces_ + from * sizeof(DeviceRange), target = pieces_ + to * sizeof(DeviceRange);
  CUdeviceptr key = word(scratch_, key_word);
  int pieces = static_cast<int>(count), first_number = static_cast<int>(number);
  void* arguments[] = {&source, &target, &pieces, &first_number, &key};
  launch(seal_, blocks_, kSealingThreads, arguments);
}

void Sealing::evict(CUdeviceptr memory, std::uint64_t bytes) {
  CUdeviceptr key = word(scratch_, key_word), to = word(scratch_, sums);
  std::uint64_t count = bytes / 16;
  void* arguments[] = {&memory, &count, &key, &to};
  launch(evict_, 2 * blocks_, kSealingThreads, arguments);
}

void Sealing::digest(std::size_t first, std::size_t count, CUdeviceptr digests, CUdeviceptr written_to,
                     std::uint64_t call) {
  CUdeviceptr pieces = pieces_ + first * sizeof(DeviceRange), key = word(scratch_, key_word);
  CUdeviceptr to = word(scratch_, sums), done = word(scratch_, blocks_done);
  CUdeviceptr states = word(scratch_, of_blocks);
  int number = static_cast<int>(count);
  void* arguments[] = {&pieces, &number, &key, &to, &done, &states, &digests, &written_to, &call};
  launch(digest_, blocks_, kSealingThreads, arguments);
}

void Sealing::digest_here(std::size_t first, std::size_t count) {
  digest(first, count, word(scratch_, result), word(scratch_, written), 0);
}

double Sealing::overhead_a_call(std::size_t calls, std::size_t opened, std::size_t digested,
                                DeviceRange evicted, bool evicts) {
  // Keeps the device busy until all that is timed has been launched.
  for (int i = 0; i < kLaunchesAhead; ++i) evict(evicted.address, evicted.bytes);
  check(driver().cuEventRecord(events_[0], stream_), "timing the kernels that seal inputs");
  for (std::size_t call = 0; call < calls; ++call) {
    const std::size_t first = call * (opened + digested);
    toggle(first, opened);
    if (evicts) evict(evicted.address, evicted.bytes);
    digest_here(first + opened, digested);
  }
  check(driver().cuEventRecord(events_[1], stream_), "timing the kernels that seal inputs");
  wait();
  float milliseconds = 0;
  check(driver().cuEventElapsedTime(&milliseconds, events_[0], events_[1]),
        "timing the kernels that seal inputs");
  return 1e-3 * milliseconds / static_cast<double>(calls);
}

OutputDigest Sealing::digest_now(std::size_t first, std::size_t count, std::uint64_t key,
                                 DeviceRange evicted) {
  set_key(key);
  if (evicted.bytes > 0) evict(evicted.address, evicted.bytes);
  digest_here(first, count);
  OutputDigest found;
  check(driver().cuMemcpyDtoHAsync(&found, word(scratch_, result), sizeof found, stream_),
        "reading a digest");
  wait();
  return found;
}

void Sealing::wait() {
  check(driver().cuStreamSynchronize(stream_), "the kernels that seal inputs");
}

}  // namespace ridgeline::cuda
