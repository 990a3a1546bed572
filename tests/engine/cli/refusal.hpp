// Checks what every refusal of bad input has in common, seen from outside: status 2, one or two lines on
// stderr that begin "ridgeline: ", nothing on stdout, no file made or changed, no request sent, an end within
// a minute.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/engine/cli/program.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::cli {

/// Listens on a port of 127.0.0.1 in a model's place and counts connections, of which there should be none.
class Listener {
 public:
  Listener();
  ~Listener();
  Listener(const Listener&) = delete;  // it owns a socket
  Listener& operator=(const Listener&) = delete;
  int port() const { return port_; }
  int visitors();

 private:
  int socket_ = -1, port_ = 0;
};

class Refusal {
 public:
  Refusal();

  /// Returns a campaign on one task, whose model is the listener. `--plan` of it succeeds.
  const std::string& campaign() const { return campaign_; }
  /// Returns that campaign with one text replaced; the text must occur.
  std::string campaign_with(const std::string& from, const std::string& to) const;

  std::string path(const std::string& name) const { return folder_.path(name); }
  void write(const std::string& name, const std::string& text) const { write_file(path(name), text); }

  /// Seconds after which the program is killed, and the test fails.
  int limit = 60;

  /// Runs the program and expects a refusal whose message contains all of `says`.
  void expect(const std::vector<std::string>& words, const std::vector<std::string>& says);

  /// Runs `run FILE` on a file that holds `text`, and expects a refusal that also names the file.
  void expect_campaign(const std::string& text, const std::vector<std::string>& says,
                       const std::vector<std::string>& more = {});

 private:
  store::samples::Folder folder_;
  Listener listener_;
  std::string campaign_;
};

}  // namespace ridgeline::cli
