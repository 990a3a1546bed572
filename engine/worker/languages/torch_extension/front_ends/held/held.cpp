// libridgeline-held.so: preloaded into a compiler's front end, it holds the front end where its fixed headers
// end, and forks it for each source behind them. Linked to nothing but the C library, since it lives in
// programs of others.
//
// RIDGELINE_HOLD_AT names a file that the fixed text includes last: the front end is held when it opens it,
// and the child reads its source in that file's place (cc1plus). RIDGELINE_HOLD_BEHIND names the input file
// that the front end reads as a stream: it is held where that file ends, and the child reads its source as
// the rest of it (cudafe++). RIDGELINE_PARSED names an output: the child ends with status 0 when it opens it,
// since all has been parsed by then. RIDGELINE_QUOTED names the file whose lines messages quote: a child
// reads its source under that name.
//
// Descriptor 3 is a socket: "r" is sent when the front end is held. Each message that arrives brings a source
// to read, a file for the child's output, one for its messages, and a pipe, into which two ints are written
// when the child has ended: whether it exited, and its status or signal. The parent reads no source: the
// child confines itself first, by the filter in the file at descriptor 4 and the Landlock rules at 5
// (RIDGELINE_CONFINE=1). When the socket closes, the process ends.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace ridgeline::held {
namespace {

constexpr int kControl = 3, kFilter = 4, kRules = 5;
constexpr int kFiles = 4;          // that come with a message
constexpr int kMostChildren = 64;  // at once; the worker asks for fewer
constexpr int kLookMs = 2;
constexpr rlim_t kChildCpuSeconds = 20;
constexpr time_t kChildSeconds = 60;  // of wall time
constexpr int kNotConfined = 97, kNotReady = 98;

struct Served {
  pid_t pid;
  int status;  // the pipe
  time_t began;
};

bool forked = false;  // in a child
int answer = -1;      // the child's source
int opened = -1;      // the same, for the one who opens it: no child may duplicate it later

time_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

bool confine() {
  const rlimit cpu{kChildCpuSeconds, kChildCpuSeconds};
  if (::setrlimit(RLIMIT_CPU, &cpu) != 0) return false;
  const char* wanted = ::getenv("RIDGELINE_CONFINE");
  if (wanted == nullptr || *wanted != '1') return true;
  static sock_filter filter[4096];
  const ssize_t bytes = ::pread(kFilter, filter, sizeof filter, 0);
  if (bytes <= 0 || bytes == ssize_t{sizeof filter}) return false;
  sock_fprog program{static_cast<unsigned short>(static_cast<size_t>(bytes) / sizeof(sock_filter)), filter};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  if (::syscall(SYS_landlock_restrict_self, kRules, 0) != 0) return false;
  ::close(kRules);
  ::close(kFilter);
  return ::syscall(SYS_seccomp, 1 /* SECCOMP_SET_MODE_FILTER */, 0, &program) == 0;
}

/// Receives one message with its files. Returns 1, 0 where the socket has closed, -1 if it was another.
int receive(int (&files)[kFiles]) {
  char word = 0;
  iovec data{&word, 1};
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof files)];
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof room;
  const ssize_t got = ::recvmsg(kControl, &message, MSG_CMSG_CLOEXEC);
  if (got <= 0) return got < 0 && errno == EINTR ? -1 : 0;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof files))
    return -1;
  ::memcpy(files, CMSG_DATA(header), sizeof files);
  return 1;
}

void become_child(const int (&files)[kFiles], const Served* others, int count) {
  forked = true;
  for (int i = 0; i < count; ++i) ::close(others[i].status);
  ::close(kControl);
  ::close(files[3]);
  answer = files[0];
  opened = ::dup(answer);
  if (::dup2(files[1], 1) != 1 || ::dup2(files[2], 2) != 2) ::_exit(kNotReady);
  ::close(files[1]);
  ::close(files[2]);
  if (!confine()) ::_exit(kNotConfined);
}

/// Tells of children that have ended, and ends those that take too long. Returns how many are left.
int look_after(Served* children, int count) {
  for (int i = 0; i < count;) {
    int status = 0;
    const pid_t ended = ::waitpid(children[i].pid, &status, WNOHANG);
    if (ended == 0) {
      if (now() - children[i].began > kChildSeconds) ::kill(children[i].pid, SIGKILL);
      ++i;
      continue;
    }
    const int told[2] = {WIFEXITED(status) ? 1 : 0,
                         WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status)};
    [[maybe_unused]] const ssize_t written = ::write(children[i].status, told, sizeof told);
    ::close(children[i].status);
    children[i] = children[--count];
  }
  return count;
}

/// Waits for sources. Returns in children alone.
void hold() {
  ::fflush(nullptr);  // or each child would write what waits in buffers
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
  if (::send(kControl, "r", 1, MSG_NOSIGNAL) != 1) ::_exit(kNotReady);
  Served children[kMostChildren];
  int count = 0;
  for (;;) {
    pollfd ready{kControl, POLLIN, 0};
    const int any = ::poll(&ready, count < kMostChildren ? 1 : 0, count > 0 ? kLookMs : -1);
    count = look_after(children, count);
    if (any <= 0) continue;
    int files[kFiles];
    const int received = receive(files);
    if (received == 0) ::_exit(0);
    if (received < 0) continue;
    const pid_t pid = ::fork();
    if (pid == 0) return become_child(files, children, count);
    for (int i = 0; i < 3; ++i) ::close(files[i]);
    if (pid > 0)
      children[count++] = {pid, files[3], now()};
    else
      ::close(files[3]);  // which says that there is no verdict
  }
}

bool names(const char* variable, const char* path) {
  const char* name = ::getenv(variable);
  if (name == nullptr) return false;
  const size_t length = ::strlen(path), wanted = ::strlen(name);
  return length >= wanted && ::strcmp(path + length - wanted, name) == 0 &&
         (length == wanted || path[length - wanted - 1] == '/');
}

// The input of a front end that reads a stream. It may be opened more than once, by the parent and by
// children (messages quote lines): each time all of it, the headers' text and then the source.

int head = -1;
off_t head_bytes = 0;

struct View {
  off_t at;
};

ssize_t read_view(void* cookie, char* into, size_t size) {
  auto* view = static_cast<View*>(cookie);
  if (view->at < head_bytes) {
    const auto left = static_cast<size_t>(head_bytes - view->at);
    const ssize_t got = ::pread(head, into, size < left ? size : left, view->at);
    if (got > 0) view->at += got;
    return got;
  }
  if (!forked) hold();
  const ssize_t got = ::pread(answer, into, size, view->at - head_bytes);
  if (got > 0) view->at += got;
  return got;
}

int seek_view(void* cookie, off64_t* offset, int whence) {
  auto* view = static_cast<View*>(cookie);
  if (whence == SEEK_SET)
    view->at = *offset;
  else if (whence == SEEK_CUR)
    view->at += *offset;
  else
    return -1;
  *offset = view->at;
  return 0;
}

int close_view(void* cookie) {
  ::free(cookie);
  return 0;
}

using Open = int (*)(const char*, int, ...);
using StreamOpen = FILE* (*)(const char*, const char*);

FILE* open_view(const char* path) {
  if (head < 0 && path != nullptr) {
    const auto real = reinterpret_cast<Open>(::dlsym(RTLD_NEXT, "open"));
    struct stat facts{};
    head = real(path, O_RDONLY | O_CLOEXEC);
    if (head < 0 || ::fstat(head, &facts) != 0) return nullptr;
    head_bytes = facts.st_size;
  }
  void* view = ::calloc(1, sizeof(View));
  if (view == nullptr) return nullptr;
  return ::fopencookie(view, "r", {read_view, nullptr, seek_view, close_view});
}

}  // namespace
}  // namespace ridgeline::held

extern "C" __attribute__((visibility("default"))) int open(const char* path, int flags, ...) {
  using namespace ridgeline::held;
  static const auto real = reinterpret_cast<Open>(::dlsym(RTLD_NEXT, "open"));
  mode_t mode = 0;
  if ((flags & (O_CREAT | __O_TMPFILE)) != 0) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  if (!names("RIDGELINE_HOLD_AT", path)) return real(path, flags, mode);
  if (forked) return errno = ENOENT, -1;  // a source that includes it
  hold();
  return opened;
}

extern "C" __attribute__((visibility("default"))) FILE* fopen(const char* path, const char* mode) {
  using namespace ridgeline::held;
  static const auto real = reinterpret_cast<StreamOpen>(::dlsym(RTLD_NEXT, "fopen"));
  if (names("RIDGELINE_HOLD_BEHIND", path) && *mode == 'r') return open_view(path);
  if (forked && names("RIDGELINE_QUOTED", path) && *mode == 'r') return open_view(nullptr);
  if (forked && names("RIDGELINE_PARSED", path) && *mode == 'w') ::_exit(0);
  return real(path, mode);
}
