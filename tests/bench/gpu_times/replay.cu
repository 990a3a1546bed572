// One kernel, timed by means that are not Ridgeline's: replay of a CUDA graph, plain launches, and, under ncu,
// a few calls to be profiled. Compiled by gpu_times.py for each kernel, whose source is KERNEL and whose
// shapes are CASES (which that script writes).
//
//   replay times CASE     a line of JSON, in microseconds a call
//   replay calls CASE N   N calls one after another on the same buffers, for ncu
//   replay apart CASE N   the same, each on buffers of its own that nobody has come near for a gigabyte
//
// Times are slopes between graphs (or batches) of K and of 2K calls, so that what launching costs once is not
// in them. Hot: calls go round over as many sets of buffers as fit 26 MB. Cold: each call has buffers of its
// own, and the L2 is read full of others before.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace bench {  // kernels have their own names

struct Buffer {
  size_t elements, size;  // `size`: bytes of an element
  char kind;              // f: 4 bytes, h: fp16, b: bf16, i: integers from 0 to below `range`
  double range;
};
struct Shape {
  std::vector<Buffer> buffers;
  size_t workspace;
  void (*call)(char* const* tensors, void* workspace, void* stream);
};

}  // namespace bench

#include KERNEL
#include CASES  // std::vector<bench::Shape> shapes()

namespace bench {
namespace {

constexpr size_t kHotBytes = 26'000'000, kMostBytes = size_t{24} << 30, kUnit = 256;
constexpr double kBatchSeconds = 0.6e-3;
constexpr int kPairs = 15;

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "replay: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

__global__ void nothing() {}

// Reads `count` values, so that nothing else is left in the L2 and nothing there is dirty.
__global__ void sweep(const uint4* memory, size_t count, unsigned* never) {
  unsigned seen = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x)
    seen ^= memory[i].x ^ memory[i].w;
  if (seen == 0x9e3779b9u) *never = seen;
}

size_t rounded(size_t bytes) { return (bytes + 2047) / kUnit * kUnit; }

/// Values for one buffer: numbers of some magnitude, since power, and so the clock, depends on them.
std::vector<char> values(const Buffer& buffer) {
  std::vector<char> bytes(buffer.elements * buffer.size);
  unsigned state = 12345;
  for (size_t i = 0; i < buffer.elements; ++i) {
    state = state * 1664525u + 1013904223u;
    const float real = static_cast<float>(int(state >> 8) % 2001 - 1000) / 500.0f;
    const auto whole = static_cast<int64_t>((state >> 8) % static_cast<unsigned>(std::max(1.0, buffer.range)));
    char* at = bytes.data() + i * buffer.size;
    if (buffer.kind == 'f') std::memcpy(at, &real, 4);
    if (buffer.kind == 'h') { const __half half(real); std::memcpy(at, &half, 2); }
    if (buffer.kind == 'b') { const __nv_bfloat16 half(real); std::memcpy(at, &half, 2); }
    if (buffer.kind == 'i') std::memcpy(at, &whole, buffer.size);
  }
  return bytes;
}

/// `sets` sets of all buffers of a call, each set's tensors at a stretch of their own.
class Sets {
 public:
  Sets(const Shape& shape, size_t sets) : shape_(shape), pointers_(sets * shape.buffers.size()) {
    for (const auto& buffer : shape.buffers) bytes_ += rounded(buffer.elements * buffer.size);
    check(cudaMalloc(&memory_, bytes_ * sets), "allocating the buffers");
    size_t offset = 0;
    for (size_t a = 0; a < shape.buffers.size(); ++a) {
      const auto host = values(shape.buffers[a]);
      for (size_t set = 0; set < sets; ++set) {
        char* to = memory_ + set * bytes_ + offset;
        pointers_[set * shape.buffers.size() + a] = to;
        check(set == 0 ? cudaMemcpy(to, host.data(), host.size(), cudaMemcpyHostToDevice)
                       : cudaMemcpy(to, pointers_[a], host.size(), cudaMemcpyDeviceToDevice), "filling a buffer");
      }
      offset += rounded(host.size());
    }
    check(cudaMalloc(&workspace_, std::max<size_t>(1, shape.workspace)), "allocating the workspace");
  }
  ~Sets() { cudaFree(memory_); cudaFree(workspace_); }
  void call(size_t set, cudaStream_t stream) const {
    shape_.call(&pointers_[set * shape_.buffers.size()], workspace_, stream);
  }

 private:
  const Shape& shape_;
  std::vector<char*> pointers_;
  size_t bytes_ = 0;
  char* memory_ = nullptr;
  void* workspace_ = nullptr;
};

class Timer {
 public:
  Timer() {
    check(cudaStreamCreate(&stream_), "making a stream");
    for (auto& event : events_) check(cudaEventCreate(&event), "making an event");
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "asking for the device's facts");
    sweep_bytes_ = 4 * size_t(properties.l2CacheSize);
    check(cudaMalloc(&sweep_, sweep_bytes_ + 16), "allocating what empties the L2");
    check(cudaMemset(sweep_, 0, sweep_bytes_ + 16), "filling what empties the L2");
  }

  /// A graph of the calls first, first + 1, …, each of which `call(i, stream)` makes.
  template <class Call>
  cudaGraphExec_t capture(size_t first, size_t count, Call&& call) {
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), "beginning a capture");
    for (size_t i = first; i < first + count; ++i) call(i, stream_);
    check(cudaStreamEndCapture(stream_, &graph), "ending a capture");
    check(cudaGraphInstantiate(&ready, graph, 0), "making a graph");
    check(cudaGraphUpload(ready, stream_), "sending a graph to the device");
    cudaGraphDestroy(graph);
    return ready;
  }

  struct Slopes {
    double events, host;  // seconds a call
  };

  /// `work(which)` puts a batch of K (0) or 2K (1) calls on `stream_` or, with `legacy`, on the null stream.
  template <class Work>
  Slopes slopes(size_t calls, bool cold, bool legacy, Work&& work) {
    std::vector<double> events, host;
    for (int pair = 0; pair < kPairs + 2; ++pair) {
      double by_events[2], by_host[2];
      for (int turn = 0; turn < 2; ++turn) {
        const int which = (turn + pair) % 2;
        if (cold) sweep<<<1024, 256, 0, stream_>>>(reinterpret_cast<const uint4*>(sweep_), sweep_bytes_ / 16,
                                                   reinterpret_cast<unsigned*>(sweep_ + sweep_bytes_));
        check(cudaDeviceSynchronize(), "what came before a batch");
        cudaStream_t stream = legacy ? nullptr : stream_;
        const double begin = now();
        cudaEventRecord(events_[0], stream);
        work(which);
        cudaEventRecord(events_[1], stream);
        check(cudaDeviceSynchronize(), "a batch");
        by_host[which] = now() - begin;
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, events_[0], events_[1]), "reading the events");
        by_events[which] = milliseconds * 1e-3;
      }
      if (pair < 2) continue;  // to warm up
      events.push_back((by_events[1] - by_events[0]) / double(calls));
      host.push_back((by_host[1] - by_host[0]) / double(calls));
    }
    return {median(events), median(host)};
  }

  /// The calls 0 … 3K - 1 by a graph of the first K and one of the others. Hot calls are made once before.
  template <class Call>
  Slopes replayed(size_t calls, bool cold, Call&& call) {
    cudaGraphExec_t graphs[2] = {capture(0, calls, call), capture(calls, 2 * calls, call)};
    const auto result = slopes(calls, cold, false, [&](int which) { cudaGraphLaunch(graphs[which], stream_); });
    for (auto graph : graphs) cudaGraphExecDestroy(graph);
    return result;
  }

  template <class Call>
  Slopes launched(size_t calls, bool cold, Call&& call) {
    return slopes(calls, cold, true, [&](int which) {
      const size_t first = which == 0 ? 0 : calls;
      for (size_t i = first; i < first + (which + 1) * calls; ++i) call(i, cudaStream_t(nullptr));
    });
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t events_[2] = {};
  char* sweep_ = nullptr;
  size_t sweep_bytes_ = 0;
};

void times(const Shape& shape) {
  Timer timer;
  size_t bytes = 0;
  for (const auto& buffer : shape.buffers) bytes += rounded(buffer.elements * buffer.size);
  double about = 0;  // seconds a call
  {
    const Sets one(shape, 1);
    for (int i = 0; i < 3; ++i) one.call(0, nullptr);
    check(cudaDeviceSynchronize(), "the first calls");
    const double begin = now();
    for (int i = 0; i < 20; ++i) one.call(0, nullptr);
    check(cudaDeviceSynchronize(), "the first calls");
    about = (now() - begin) / 20;
  }
  const size_t calls = std::clamp<size_t>(size_t(kBatchSeconds / about) + 1, 1, 256);
  std::printf("{\"calls\": %zu, \"megabytes\": %.3f", calls, double(bytes) * 1e-6);
  const auto print = [](const char* name, Timer::Slopes slopes) {
    std::printf(", \"%s\": %.4f, \"%s_host\": %.4f", name, slopes.events * 1e6, name, slopes.host * 1e6);
  };
  if (const size_t fit = kHotBytes / bytes; fit >= 1) {
    const size_t sets = std::min(fit, 3 * calls);
    const Sets hot(shape, sets);
    const auto one = [&](size_t, cudaStream_t stream) { hot.call(0, stream); };
    const auto round = [&](size_t i, cudaStream_t stream) { hot.call(i % sets, stream); };
    print("hot_one", timer.replayed(calls, false, one));
    print("hot_graph", timer.replayed(calls, false, round));
    print("hot_launched", timer.launched(calls, false, round));
  }
  if (const size_t sets = std::min(3 * calls, kMostBytes / bytes / 3 * 3); sets >= 3) {
    const Sets cold(shape, sets);
    const auto own = [&](size_t i, cudaStream_t stream) { cold.call(i, stream); };
    print("cold_graph", timer.replayed(sets / 3, true, own));
    print("cold_launched", timer.launched(sets / 3, true, own));
  }
  const auto empty = [](size_t, cudaStream_t stream) { nothing<<<1, 32, 0, stream>>>(); };
  print("empty_graph", timer.replayed(200, false, empty));
  print("empty_launched", timer.launched(200, false, empty));
  std::printf("}\n");
}

}  // namespace
}  // namespace bench

int main(int count, char** words) {
  if (count < 3) return 2;
  const auto all = shapes();
  const auto& shape = all.at(std::strtoul(words[2], nullptr, 10));
  if (words[1] == std::string("times")) {
    bench::times(shape);
    return 0;
  }
  const bool apart = words[1] == std::string("apart");
  const size_t calls = std::strtoul(words[3], nullptr, 10);
  size_t bytes = 1;
  for (const auto& buffer : shape.buffers) bytes += buffer.elements * buffer.size;
  const size_t step = apart ? (size_t{1} << 30) / bytes + 1 : 0;
  const bench::Sets sets(shape, apart ? calls * step : 1);
  for (size_t i = 0; i < calls; ++i) sets.call(i * step, nullptr);
  bench::check(cudaDeviceSynchronize(), "the calls");
}
