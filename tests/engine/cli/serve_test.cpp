// serve, as a user starts, asks and ends it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <csignal>
#include <cstdio>
#include <utility>

#include "tests/engine/cli/program.hpp"
#include "tests/engine/export/filled_store.hpp"

namespace ridgeline::cli {
namespace {

using testing::HasSubstr;

/// `ridgeline serve`, which runs until it is told to end.
class Serving {
 public:
  explicit Serving(const std::string& store) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      ::execl(RIDGELINE_BIN_DIR "/ridgeline", "ridgeline", "serve", store.c_str(), "--port", "0", nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    std::FILE* out = ::fdopen(ends[0], "r");
    std::array<char, 256> line{};
    if (std::fgets(line.data(), line.size(), out) != nullptr) url = line.data();
    std::fclose(out);
  }
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;
  ~Serving() {
    if (pid_ > 0) end(SIGKILL);
  }

  unsigned short port() const {
    return static_cast<unsigned short>(std::stoi(url.substr(url.rfind(':') + 1)));
  }

  /// Its exit status; -1 if it was killed.
  int end(int signal) {
    ::kill(pid_, signal);
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string get(const std::string& target) const {
    boost::asio::io_context io;
    boost::asio::ip::tcp::socket socket(io);
    socket.connect({boost::asio::ip::address_v4::loopback(), port()});
    boost::asio::write(
        socket,
        boost::asio::buffer("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
    std::string answer;
    boost::system::error_code end;
    boost::asio::read(socket, boost::asio::dynamic_buffer(answer), end);
    return answer;
  }

  std::string url;

 private:
  pid_t pid_ = -1;
};

TEST(Serve, ShowsAStoreThatIsBeingWrittenAndEndsOnCtrlC) {
  store::samples::FilledStore filled;  // its writer is open
  Serving serving(filled.store().path());
  ASSERT_THAT(serving.url, testing::MatchesRegex("http://127.0.0.1:[0-9]+/\n"));
  EXPECT_THAT(serving.get("/"), HasSubstr("best-of-4"));
  EXPECT_THAT(serving.get("/trajectory/1"), HasSubstr("<h3>round 0</h3>"));
  filled.writer().set_state(2, store::TrajectoryState::failed, "the worker was lost", 1, {});
  filled.writer().flush();
  EXPECT_THAT(serving.get("/live"), HasSubstr("the worker was lost"));
  EXPECT_EQ(serving.end(SIGINT), 130);
}

TEST(Serve, RefusesWhatItCannotShow) {
  const store::samples::Folder folder;
  const auto missing = ridgeline({"serve", folder.path("none.db")});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("there is no store at"));
  EXPECT_EQ(ridgeline({"serve", folder.path("none.db"), "--port", "70000"}).status, 2);
}

TEST(Serve, ReportsThatItsPortIsInUse) {
  store::samples::FilledStore filled;
  const Serving serving(filled.store().path());
  const auto second = ridgeline({"serve", filled.store().path(), "--port", std::to_string(serving.port())});
  EXPECT_EQ(second.status, 3);
  EXPECT_THAT(second.err, HasSubstr("is in use"));
}

}  // namespace
}  // namespace ridgeline::cli
