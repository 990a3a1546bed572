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

constexpr int look_ms = 20;  // how often room is looked for while there is none

/// A message that was not understood, answered as far as its id is known.
void refuse(const nlohmann::json& document, const Error& error, const Agent::Answer& reply,
            const Agent::Log& log) {
  log(error.what());
  reply(protocol::Failed{protocol::id_of(document), protocol::Failure::bad_request, error.what()});
}

/// True once a signal asks for the end. Waits at most `patience_ms`.
bool told_to_end(int signals, int patience_ms) {
  pollfd wait{signals, POLLIN, 0};
  return ::poll(&wait, 1, patience_ms) > 0;
}

}  // namespace

void feed_from_stream(Agent& agent, int input, int signals, const Agent::Answer& reply,
                      const Agent::Log& log) {
  protocol::FrameReader reader;
  std::array<char, 65536> block;
  try {
    while (true) {
      const bool room = agent.in_flight() < most_in_flight;
      std::array<pollfd, 2> wait{{{input, static_cast<short>(room ? POLLIN : 0), 0}, {signals, POLLIN, 0}}};
      if (::poll(wait.data(), wait.size(), room ? -1 : look_ms) < 0 && errno != EINTR) break;
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
  } catch (const Error& error) {  // no frames: nothing that follows can be understood
    log(error.what());
  }
  agent.end();
}

MailboxFeed::MailboxFeed(const std::filesystem::path& folder, Agent::Log log)
    : folders_(protocol::open_mailbox(folder)), log_(std::move(log)) {
  protocol::LineFolder(folders_.inbox).read_new([&](std::string_view line, const std::string&) {
    done_.insert(protocol::id_of(nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false)));
  });
}

void MailboxFeed::feed(Agent& agent, int signals) {
  std::size_t posted = 0;
  bool stop = false;
  protocol::LineFolder(folders_.outbox).read_new([&](std::string_view line, const std::string& place) {
    const auto document = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (stop || done_.contains(protocol::id_of(document))) return;
    while (!stop && agent.in_flight() >= most_in_flight) stop = told_to_end(signals, look_ms);
    if (stop) return;
    try {
      auto message = protocol::decode_to_worker(document);
      if (!std::holds_alternative<protocol::Evaluate>(message) &&
          !std::holds_alternative<protocol::CheckTask>(message))
        return;
      done_.insert(protocol::id_of(document));
      agent.post(std::move(message));
      ++posted;
    } catch (const Error& error) {
      log_(place + " was skipped: " + error.what());
    }
  });
  while (!stop && answered_ < posted) stop = told_to_end(signals, look_ms);
  agent.end();
}

void MailboxFeed::answer(const protocol::FromWorker& message) {
  if (std::holds_alternative<protocol::Hello>(message)) return;
  const std::string line = protocol::encode_line(protocol::encode(message));
  if (results_.empty()) {
    results_ = protocol::write_numbered(folders_.inbox, "results", {line}).string();
  } else {
    // One write of a whole line: whoever copies the file now gets whole lines, and perhaps one without its
    // end.
    const int fd = ::open(results_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    const ssize_t wrote = fd < 0 ? -1 : ::write(fd, line.data(), line.size());
    const int error = errno;
    if (fd >= 0) {
      ::fsync(fd);
      ::close(fd);
    }
    if (wrote != static_cast<ssize_t>(line.size()))
      throw MachineCannot("cannot write " + results_ + ": " + std::strerror(error) + ". Is there room?");
  }
  ++answered_;
}

}  // namespace ridgeline::agent
