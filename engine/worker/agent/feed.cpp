#include "engine/worker/agent/feed.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

namespace ridgeline::agent {
namespace {

constexpr int poll_ms = 20;  // interval at which `in_flight` is read while it is at its limit

/// Answers a message that could not be decoded. Its id may be "".
void refuse(const nlohmann::json& document, const Error& error, const Agent::Answer& reply,
            const Agent::Log& log) {
  log(error.what());
  reply(protocol::Failed{protocol::id_of(document), protocol::Failure::bad_request, error.what()});
}

/// Waits at most `wait_ms`. Returns whether a signal asks for the end.
bool end_requested(int signals, int wait_ms) {
  pollfd wait{signals, POLLIN, 0};
  return ::poll(&wait, 1, wait_ms) > 0;
}

}  // namespace

void feed_from_stream(Agent& agent, int input, int signals, const Agent::Answer& reply,
                      const Agent::Log& log) {
  protocol::FrameReader reader;
  std::array<char, 65536> block;
  try {
    while (true) {
      const bool room = agent.in_flight() < most_in_flight;
      // Without room no input is read, so that the engine's writes block and memory stays bounded. poll
      // still reports a hang-up.
      std::array<pollfd, 2> wait{{{input, static_cast<short>(room ? POLLIN : 0), 0}, {signals, POLLIN, 0}}};
      if (::poll(wait.data(), wait.size(), room ? -1 : poll_ms) < 0 && errno != EINTR) break;
      if (wait[1].revents != 0) break;
      if (!room && (wait[0].revents & (POLLHUP | POLLERR)) != 0) break;
      if (!room || wait[0].revents == 0) continue;
      const ssize_t got = ::read(input, block.data(), block.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      reader.feed({block.data(), static_cast<std::size_t>(got)});
      while (auto document = reader.next()) {
        try {
          agent.post(protocol::decode_to_worker(*document));
        } catch (const protocol::ProtocolError& error) {
          refuse(*document, error, reply, log);
        }
      }
    }
  } catch (const Error& error) {  // the bytes are no frames, so the next frame's beginning is unknown
    log(error.what());
  }
  agent.end();
}

MailboxFeed::MailboxFeed(const std::filesystem::path& folder, Agent::Log log)
    : folders_(protocol::open_mailbox(folder)), log_(std::move(log)) {
  const auto note_done = [&](std::string_view line, const std::string&) {
    done_.insert(protocol::id_of(nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false)));
  };
  for (const auto& problem : protocol::LineFolder(folders_.inbox).read_new(note_done)) log_(problem);
}

void MailboxFeed::feed(Agent& agent, int signals) {
  std::size_t posted = 0;
  bool stop = false;
  const auto post_request = [&](std::string_view line, const std::string& place) {
    const auto document = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    // Repeated lines occur: a resumed campaign asks the same request, which has the same id.
    if (stop || done_.contains(protocol::id_of(document))) return;
    while (!stop && agent.in_flight() >= most_in_flight) stop = end_requested(signals, poll_ms);
    if (stop) return;
    try {
      auto message = protocol::decode_to_worker(document);
      // A mailbox has no use for the others: nobody waits for it to end, and nothing can be cancelled in
      // files.
      if (!std::holds_alternative<protocol::Evaluate>(message) &&
          !std::holds_alternative<protocol::CheckTask>(message))
        return;
      done_.insert(protocol::id_of(document));
      agent.post(std::move(message));
      ++posted;
    } catch (const Error& error) {
      log_(place + " was skipped: " + error.what());
    }
  };
  for (const auto& problem : protocol::LineFolder(folders_.outbox).read_new(post_request)) log_(problem);
  while (!stop && answered_ < posted) stop = end_requested(signals, poll_ms);
  agent.end();
}

void MailboxFeed::answer(const protocol::FromWorker& message) {
  if (std::holds_alternative<protocol::Hello>(message)) return;
  const std::string line = protocol::encode_line(protocol::encode(message));
  if (results_.empty()) {
    results_ = protocol::write_numbered(folders_.inbox, "results", {line}).string();
  } else {
    // One write for a whole line. A copy of the file that is made meanwhile has whole lines, and at most one
    // without its end, which readers ignore.
    const int fd = ::open(results_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    const ssize_t wrote = fd < 0 ? -1 : ::write(fd, line.data(), line.size());
    const int error = errno;
    if (fd >= 0) {
      // A person may pull out the disk once the answer is reported.
      ::fsync(fd);
      ::close(fd);
    }
    if (wrote != static_cast<ssize_t>(line.size()))
      throw MachineCannot("cannot write " + results_ + ": " + std::strerror(error) + ". Is there room?");
  }
  ++answered_;
}

}  // namespace ridgeline::agent
