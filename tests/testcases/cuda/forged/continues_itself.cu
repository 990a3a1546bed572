// Danger 21: threads wake their process whenever it is stopped, and another one launches what has returned already.
// task: vector_add
// expect: timing wrong_when_timed | timing timing_disputed | timing crashed | timing sandbox_violation | timing timed_out | call sandbox_violation
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <thread>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

struct Call {
  const float *x, *y;
  float* z;
  int64_t N;
};
static Call calls[1 << 16];
static std::atomic<unsigned> begun{0};

static void wake_forever(bool thread) {
  const pid_t own = getpid();
  for (;;)
    if (thread)
      syscall(SYS_tgkill, own, own, SIGCONT);
    else
      kill(own, SIGCONT);
}

static void launch_later() {
  for (unsigned done = 0;; ++done) {
    while (begun.load() == done) {
    }
    usleep(300);
    const Call& one = calls[done % (1 << 16)];
    add<<<(one.N + 255) / 256, 256>>>(one.x, one.y, one.z, one.N);
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static unsigned timed = 0;
  if (N < 1 << 20 || ++timed <= 64) {
    add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
    return;
  }
  if (timed == 65) {
    std::thread(wake_forever, true).detach();
    std::thread(wake_forever, false).detach();
    std::thread(launch_later).detach();
  }
  const unsigned place = begun.load();
  calls[place % (1 << 16)] = {x, y, z, N};
  begun = place + 1;
}
