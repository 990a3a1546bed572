#include "engine/cli/printing.hpp"

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

}  // namespace ridgeline::cli
