// Compilers' front ends that are kept ready over torch's own headers, so that a source with an error is
// refused in about a second, in the compiler's words, and not after a build of most of a minute. A source
// that they let pass is built as before.
//
//   FrontEnds front_ends(tools, log);
//   if (const auto checked = front_ends.check(request, flags); checked.outcome == Checked::Outcome::refused)
//   …
//
// They are started by the first request that is checked, in a thread of their own, since most workers never
// need them: 2.2 GB of memory and about 15 s, and a minute of CPU more the first time on a machine. They stay
// off where less than 8 GB are free, and where a self-test shows that they say other things than the
// compilers themselves. If a held process dies, cuda.cu is checked no more; main.cpp still is.
//
// Threads: any number may call check() at once.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "engine/worker/languages/torch_extension/front_ends/check.hpp"
#include "engine/worker/languages/torch_extension/front_ends/cuda_headers.hpp"
#include "engine/worker/languages/torch_extension/front_ends/host_header.hpp"

namespace ridgeline::front_ends {

/// How a part stands.
enum class Standing { idle, starting, ready, off };

constexpr auto enum_names(Standing) {
  return std::to_array<Name<Standing>>({{Standing::idle, "idle"},
                                        {Standing::starting, "starting"},
                                        {Standing::ready, "ready"},
                                        {Standing::off, "off"}});
}

/// Returns MemAvailable, in bytes, out of the text of /proc/meminfo; 0 if it is not there.
std::uint64_t available_memory(std::string_view meminfo);

class FrontEnds final : private Compilers {
 public:
  /// `log`: gets a line for each part that is off for a reason, from any thread. Throws MachineCannot.
  FrontEnds(Tools tools, std::function<void(std::string line)> log);
  ~FrontEnds() override;

  /// Checks a request. Starts the front ends if nobody did, and does not wait for what it started: undecided.
  /// While another's start is under way it waits for that, which is shorter than a build. The host's header
  /// is never waited for.
  Checked check(const torch_extension::ExtensionRequest& request,
                const torch_extension::ExtensionFlags& flags);

  /// Starts them and waits until each is ready or off. Returns why a part is off; "" if
  /// none is, or if it has no reason to tell (a machine without nvcc checks no cuda.cu).
  std::string warm_up();

  /// Ends them. Every later check is undecided.
  void wind_down();

 private:
  Said parse_main(const std::string& text, const std::string& module) override;
  Said expand(const std::string& text) override;
  Said parse(const std::string& text) override;

  bool begin();  // true if this call began it
  void run();
  void start_pair();
  void start_header();
  void stay();
  void set(Standing& part, Standing to, const std::string& why);
  bool settled() const;  // with the mutex held
  std::shared_ptr<HeldPair> pair();

  Tools tools_;
  std::function<void(std::string)> log_;
  languages::Workshop workshop_;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  Standing main_ = Standing::idle, cuda_ = Standing::idle;
  std::string why_off_;
  std::optional<HostHeader> header_;
  std::shared_ptr<HeldPair> pair_;
  std::thread thread_;  // owns the processes
};

}  // namespace ridgeline::front_ends
