#include "engine/cli/printing.hpp"

#include <fmt/chrono.h>

#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "prompts/text.hpp"

namespace ridgeline::cli {

void print_json(const std::string& command, nlohmann::json document) {
  document["schema"] = json_schema;
  document["command"] = command;
  std::cout << dump_json(document, 2) << std::endl;  // flushed: `serve` prints its address and stays
}

void print_text(const std::string& text) {
  std::cout << prompts::clean(text) << std::flush;
}

std::string iso_time(std::int64_t milliseconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(milliseconds / 1000)));
}

}  // namespace ridgeline::cli
