// Runs build/bin/ridgeline as a user does.
#pragma once

#include <string>
#include <vector>

namespace ridgeline::cli {

struct ProgramResult {
  int status = -1;  ///< -1 if it did not end by itself
  std::string out, err;
};

/// Runs the program with `input` on its stdin and waits for its end. Kills it after `limit` seconds, or never
/// if that is 0; the status is -1 then.
ProgramResult ridgeline(const std::vector<std::string>& words, const std::string& input = "", int limit = 0);

std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& text);

}  // namespace ridgeline::cli
