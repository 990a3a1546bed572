#include "engine/worker/agent/options.hpp"

#include <charconv>

#include "engine/core/error.hpp"

namespace ridgeline::agent {
namespace {

int positive(const std::string& name, const std::string& text) {
  int number = 0;
  const auto* end = text.data() + text.size();
  if (std::from_chars(text.data(), end, number).ptr != end || number < 1)
    throw BadInput(name + " wants a number from 1 up, not '" + text + "'");
  return number;
}

}  // namespace

Options read_options(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (name == "--help" || name == "-h") {
      options.help = true;
      continue;
    }
    std::string* text = name == "--mailbox" ? &options.mailbox
                        : name == "--cache" ? &options.cache
                        : name == "--judge" ? &options.judge
                                            : nullptr;
    if (text == nullptr && name != "--builders") throw BadInput("unknown argument '" + name + "'\n" + usage);
    if (++i == arguments.size()) throw BadInput(name + " wants a value\n" + usage);
    if (text != nullptr)
      *text = arguments[i];
    else
      options.builders = positive(name, arguments[i]);
  }
  return options;
}

}  // namespace ridgeline::agent
