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
    const int descriptor = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (descriptor < 0) return;
    inotify_.emplace(io, descriptor);
    if (::inotify_add_watch(descriptor, folder.c_str(), IN_MOVED_TO | IN_CLOSE_WRITE) < 0) inotify_.reset();
  }

  void enable(bool on) override {
    if (on_ == on) return;
    on_ = on;
    ++activation_;
    if (on) {
      poll_later();
      read();
    } else {
      timer_.cancel();
      if (inotify_) inotify_->cancel();
    }
  }

 private:
  /// Handlers of an earlier turn, or of a watch that is gone, do nothing.
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
  std::array<char, 4096> events_{};  // what they say does not matter: the folder is looked through
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
