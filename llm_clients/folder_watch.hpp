// Signals that a folder may have changed. It uses inotify for writes of this machine, and a timer for network
// file systems, where inotify does not see the writes of other machines.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
}

namespace ridgeline::llm {

class FolderWatch {
 public:
  FolderWatch() = default;
  FolderWatch(const FolderWatch&) = delete;  // pending waits hold a pointer to it
  FolderWatch& operator=(const FolderWatch&) = delete;
  virtual ~FolderWatch() = default;  ///< `changed` is called no more

  /// Starts or stops the watch. While on, it calls `changed` and keeps the io_context busy.
  virtual void enable(bool on) = 0;
};

/// `changed` runs on the io_context's thread and may disable the watch, but not destroy it. If the kernel
/// refuses inotify (its limits are small on busy machines), only the timer with `period` remains.
std::unique_ptr<FolderWatch> watch_folder(boost::asio::io_context& io, const std::filesystem::path& folder,
                                          std::chrono::milliseconds period, std::function<void()> changed);

}  // namespace ridgeline::llm
