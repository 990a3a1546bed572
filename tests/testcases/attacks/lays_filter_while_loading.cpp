// A static constructor lays a filter that answers seccomp with success, so that the runner believes its
// second lockdown to be in force.
// task: vector_add
// expect: call sandbox_violation
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

static const long laid = [] {
  sock_filter answer[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
                          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
                          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog program{4, answer};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}();

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i] + static_cast<float>(laid);
}
