// Runs build/bin/ridgeline as a user does.
#pragma once

#include <string>
#include <vector>

namespace ridgeline::cli {

struct Ran {
  int status = -1;  ///< -1 if it did not end by itself
  std::string out, err;
};

/// `input` is its stdin. Waits for its end, and kills it after `limit` seconds (0: never), which is no status
/// that a test expects.
Ran ridgeline(const std::vector<std::string>& words, const std::string& input = "", int limit = 0);

std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& text);

}  // namespace ridgeline::cli
