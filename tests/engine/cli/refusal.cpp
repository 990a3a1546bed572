#include "tests/engine/cli/refusal.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "engine/core/hash.hpp"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Every file and folder under `root` by what is in it. SQLite's reader leaves an empty log beside a store,
/// which is the same as none.
std::map<std::string, std::string> everything_in(const fs::path& root) {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const auto name = entry.path().string();
    if (name.ends_with("-shm") || (name.ends_with("-wal") && entry.file_size() == 0)) continue;
    found[name] = entry.is_regular_file() ? sha256(read_file(name)) : "folder";
  }
  return found;
}

}  // namespace

Listener::Listener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  const auto* any = reinterpret_cast<const sockaddr*>(&address);
  if (::bind(socket_, any, sizeof address) != 0 || ::listen(socket_, 16) != 0 ||
      ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length) != 0)
    ADD_FAILURE() << "no socket on 127.0.0.1";
  port_ = ntohs(address.sin_port);
}

Listener::~Listener() {
  ::close(socket_);
}

int Listener::visitors() {
  int count = 0;
  for (int one = ::accept(socket_, nullptr, nullptr); one >= 0; one = ::accept(socket_, nullptr, nullptr)) {
    ++count;
    ::close(one);
  }
  return count;
}

Refusal::Refusal()
    : campaign_(fmt::format(R"(name: trial
suite:
  tasks: [softmax]
strategies:
  - preset: best_of_n
    settings: {{n: 2}}
  - strategy: geak
    settings: {{rounds: 2}}
models:
  generator: {{provider: openai_chat, id: m, base_url: "http://127.0.0.1:{}/v1"}}
seeds: [0]
budget:
  total: {{calls: 4}}
worker: {{isolation: none}}
store: trial.db
)",
                            listener_.port())) {}

std::string Refusal::campaign_with(const std::string& from, const std::string& to) const {
  auto text = campaign_;
  const auto at = text.find(from);
  if (at == std::string::npos) {
    ADD_FAILURE() << "'" << from << "' is not in the campaign";
    return text;
  }
  return text.replace(at, from.size(), to);
}

void Refusal::expect(const std::vector<std::string>& words, const std::vector<std::string>& says) {
  const auto before = everything_in(folder_.root());
  const auto ran = ridgeline(words, "", limit);
  EXPECT_EQ(ran.status, 2) << ran.err;
  const auto begin = ran.err.find("ridgeline: ");
  ASSERT_NE(begin, std::string::npos) << ran.err;
  EXPECT_TRUE(begin == 0 || ran.err[begin - 1] == '\n') << ran.err;
  const auto message = ran.err.substr(begin);
  EXPECT_LE(std::count(message.begin(), message.end(), '\n'), 2) << message;
  for (const auto& text : says) EXPECT_THAT(message, HasSubstr(text));
  EXPECT_EQ(everything_in(folder_.root()), before) << "a file was made or changed";
  EXPECT_EQ(listener_.visitors(), 0) << "a request was sent";
}

void Refusal::expect_campaign(const std::string& text, const std::vector<std::string>& says,
                              const std::vector<std::string>& more) {
  write("trial.yaml", text);
  std::vector<std::string> words{"run", path("trial.yaml")};
  words.insert(words.end(), more.begin(), more.end());
  expect(words, says);
}

}  // namespace ridgeline::cli
