#include "llm_clients/folder_watch.hpp"

#include <sys/inotify.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <optional>

namespace ridgeline::llm {
namespace {

using ErrorCode = boost::system::error_code;

class InotifyWatch : public FolderWatch {
 public:
  InotifyWatch(boost::asio::io_context& io, const std::filesystem::path& folder,
               std::chrono::milliseconds period, std::function<void()> changed)
      : period_(period), changed_(std::move(changed)), timer_(io) {
    // A failure is no error: the timer alone still finds every answer, only later.
    const int descriptor = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (descriptor < 0) return;
    inotify_.emplace(io, descriptor);
    // MOVED_TO for writers that rename, CLOSE_WRITE for those that write in place.
    if (::inotify_add_watch(descriptor, folder.c_str(), IN_MOVED_TO | IN_CLOSE_WRITE) < 0) inotify_.reset();
  }

  void enable(bool on) override {
    if (on_ == on) return;
    on_ = on;
    // Invalidates handlers that Asio has queued already and that `cancel` cannot reach.
    ++activation_;
    if (on) {
      poll_later();
      read();
    } else {
      timer_.cancel();
      // While the watch is off, nothing may keep the io_context running.
      if (inotify_) inotify_->cancel();
    }
  }

 private:
  /// Returns a check whether the watch is still on since this activation. It is safe after the watch is gone.
  auto active_check() {
    return [this, activation = activation_, alive = std::weak_ptr(alive_)] {
      return !alive.expired() && on_ && activation == activation_;
    };
  }

  void poll_later() {
    timer_.expires_after(period_);
    timer_.async_wait([this, on = active_check()](const ErrorCode& error) {
      if (error || !on()) return;
      changed_();
      if (on()) poll_later();
    });
  }

  void read() {
    if (!inotify_) return;
    inotify_->async_read_some(boost::asio::buffer(events_),
                              [this, on = active_check()](const ErrorCode& error, std::size_t) {
                                if (error || !on()) return;
                                changed_();
                                if (on()) read();
                              });
  }

  std::chrono::milliseconds period_;
  std::function<void()> changed_;
  boost::asio::steady_timer timer_;
  std::optional<boost::asio::posix::stream_descriptor> inotify_;
  std::array<char, 4096> events_{};  // their content is ignored, since `changed_` reads the whole folder
  bool on_ = false;
  unsigned activation_ = 0;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace

std::unique_ptr<FolderWatch> watch_folder(boost::asio::io_context& io, const std::filesystem::path& folder,
                                          std::chrono::milliseconds period, std::function<void()> changed) {
  return std::make_unique<InotifyWatch>(io, folder, period, std::move(changed));
}

}  // namespace ridgeline::llm
