#include "engine/submissions/lane.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "engine/core/error.hpp"
#include "engine/submissions/confinement.hpp"
#include "engine/submissions/texts.hpp"

namespace ridgeline::submissions {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kStart = 300;  // seconds for an import of torch, from a disk that was never read
constexpr int kLookMs = 20;     // how often the sandbox's limits are looked at

nlohmann::json start_message(const LaneSettings& settings, const std::filesystem::path& folder) {
  nlohmann::json texts = nlohmann::json::object();
  for (const auto* module = detail::submission_modules; module->name; ++module)
    texts[module->name] = module->text;
  return {{"texts", texts},
          {"settings",
           {{"device", settings.cuda ? "cuda" : "cpu"},
            {"clone", settings.clone.string()},
            {"folder", folder.string()}}}};
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

Lane::Lane(LaneSettings settings, std::filesystem::path folder)
    : settings_(std::move(settings)), folder_(std::move(folder)) {}

void Lane::start() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw MachineCannot(fmt::format("socketpair: {}; fix: raise `ulimit -n`", std::strerror(errno)));
  link_.reset(ends[0]);
  FileDescriptor theirs(ends[1]);
  rest_.clear();
  exit_.reset();
  child_.emplace(sandbox::spawn(policy_for(settings_, folder_),
                                {settings_.python.program, "-I", "-B", "-c", detail::bootstrap},
                                {theirs.get()}));
  theirs.reset();  // or its end would not close the socket
  std::string line;
  if (send(start_message(settings_, folder_).dump()) && receive(line, kStart) == Heard::line) {
    facts_ = nlohmann::json::parse(line, nullptr, false);
    if (facts_.is_object()) return;
  }
  const auto words = last_words();
  end();
  throw MachineCannot(
      fmt::format("{}, which runs submissions, does not start: {}; fix: see that it imports torch "
                  "and that there is memory for it",
                  settings_.python.program, words));
}

void Lane::end() {
  if (child_) child_->kill_tree();
  child_.reset();
  link_.reset();
}

const nlohmann::json& Lane::facts() {
  if (!child_) start();
  return facts_;
}

bool Lane::send(std::string line) {
  line += '\n';  // JSON has no line ends of its own
  for (std::size_t sent = 0; sent < line.size();) {
    const auto count = ::send(link_.get(), line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

Lane::Heard Lane::receive(std::string& line, double seconds) {
  const auto begin = Clock::now();
  std::array<char, 1 << 16> buffer{};
  for (auto at = rest_.find('\n'); at == std::string::npos; at = rest_.find('\n')) {
    if (seconds_since(begin) > seconds) return Heard::late;
    if (settings_.stop()) return Heard::stopped;
    pollfd ready{link_.get(), POLLIN, 0};
    const bool heard = ::poll(&ready, 1, kLookMs) > 0;
    if (!exit_) exit_ = child_->step(std::chrono::nanoseconds(0));
    if (!heard) {
      if (exit_) return Heard::closed;
      continue;
    }
    const auto count = ::recv(link_.get(), buffer.data(), buffer.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Heard::closed;
    rest_.append(buffer.data(), static_cast<std::size_t>(count));
  }
  const auto at = rest_.find('\n');
  line = rest_.substr(0, at);
  rest_.erase(0, at + 1);
  return Heard::line;
}

std::string Lane::last_words() {
  if (!exit_ && child_) exit_ = child_->step(std::chrono::seconds(1));
  if (!exit_) exit_ = child_->kill_tree();
  const auto said = exit_->err.substr(exit_->err.size() - std::min<std::size_t>(exit_->err.size(), 500));
  return sandbox::describe(*exit_) + (said.empty() ? "" : ": " + said);
}

ProcessEnd Lane::run(const nlohmann::json& request, double seconds) {
  facts();
  const auto begin = Clock::now();
  ProcessEnd end_of_process;
  std::string line;
  const auto heard = send(request.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace))
                         ? receive(line, seconds)
                         : Heard::closed;
  end_of_process.seconds = seconds_since(begin);
  const auto reply = heard == Heard::line ? nlohmann::json::parse(line, nullptr, false) : nlohmann::json();
  if (reply.is_object()) {
    end_of_process.exit = reply.value("exit", 1);
    end_of_process.stderr_head = reply.value("stderr", "");
    end_of_process.reported = reply.value("reported", nlohmann::json::object());
    if (!end_of_process.reported.is_object()) end_of_process.reported = nlohmann::json::object();
    if (reply.value("left", true)) end();
    return end_of_process;
  }
  end_of_process.reported = nlohmann::json::object();
  if (heard == Heard::late) {
    end_of_process.kind = ProcessEnd::Kind::late;
    end_of_process.what = fmt::format("ended after {:g} s", seconds);
  } else if (heard == Heard::stopped) {
    end_of_process.kind = ProcessEnd::Kind::stopped;
  } else {
    end_of_process.kind = ProcessEnd::Kind::killed;
    end_of_process.what = last_words();
  }
  end();
  return end_of_process;
}

}  // namespace ridgeline::submissions
