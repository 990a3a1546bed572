// Says when something may have changed in a folder: inotify for what this machine writes, and a look every
// few seconds for file systems on which another machine's writes are not told.
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
  FolderWatch(const FolderWatch&) = delete;  // what it waits for knows it by address
  FolderWatch& operator=(const FolderWatch&) = delete;
  virtual ~FolderWatch() = default;  ///< no call comes any more

  /// While on, `changed` is called now and then, and the io_context has work; while off neither.
  virtual void turn(bool on) = 0;
};

/// `changed` runs on the io_context's thread and may turn the watch off, not destroy it. Where inotify is
/// refused (its limits are small on busy machines), looking every `period` is all there is.
std::unique_ptr<FolderWatch> watch_folder(boost::asio::io_context& io, const std::filesystem::path& folder,
                                          std::chrono::milliseconds period, std::function<void()> changed);

}  // namespace ridgeline::llm
