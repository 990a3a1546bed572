#include "engine/worker/agent/options.hpp"

#include <charconv>
#include <sstream>
#include <string_view>

#include "engine/core/byte_size.hpp"
#include "engine/core/error.hpp"

namespace ridgeline::agent {
namespace {

int number_from(int least, const std::string& name, const std::string& text) {
  int number = 0;
  const auto* end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || read != end || number < least)
    throw BadInput(name + " wants a number from " + std::to_string(least) + " up, not '" + text + "'");
  return number;
}

std::uint64_t bytes_from(const std::string& name, const std::string& mib) {
  return static_cast<std::uint64_t>(number_from(0, name, mib)) << 20;
}

std::uint64_t device_memory_from(const std::string& text) {
  const auto bytes = byte_size(text);
  if (!bytes) throw BadInput("--device-memory wants a size as 24GiB, not '" + text + "'");
  return *bytes;
}

/// "all", or "cuda:0,cuda:3".
std::vector<std::string> devices_from(const std::string& text) {
  std::vector<std::string> devices;
  if (text == "all") return devices;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    constexpr std::string_view backend = "cuda:";
    const bool named = part.starts_with(backend) && part.size() > backend.size() &&
                       part.find_first_not_of("0123456789", backend.size()) == std::string::npos;
    if (!named) throw BadInput("--devices wants all, or names as cuda:0,cuda:1, not '" + text + "'");
    devices.push_back(part);
  }
  if (devices.empty()) throw BadInput("--devices wants all, or names as cuda:0,cuda:1");
  return devices;
}

}  // namespace

Options read_options(const std::vector<std::string>& arguments, const char* cache_mib, const char* torch) {
  Options options;
  // The environment first, so that an argument overrides it.
  if (torch != nullptr) options.torch = torch;
  if (cache_mib != nullptr) options.cache_limit = bytes_from("RIDGELINE_CACHE_MIB", cache_mib);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (name == "--help" || name == "-h") {
      options.help = true;
      continue;
    }
    std::string* text = name == "--mailbox" ? &options.mailbox
                        : name == "--cache" ? &options.cache
                        : name == "--judge" ? &options.judge
                        : name == "--torch" ? &options.torch
                                            : nullptr;
    if (text == nullptr && name != "--builders" && name != "--cache-mib" && name != "--device-memory" &&
        name != "--devices")
      throw BadInput("unknown argument '" + name + "'\n" + usage);
    if (++i == arguments.size()) throw BadInput(name + " wants a value\n" + usage);
    if (text != nullptr)
      *text = arguments[i];
    else if (name == "--cache-mib")
      options.cache_limit = bytes_from(name, arguments[i]);
    else if (name == "--devices")
      options.devices = devices_from(arguments[i]);
    else if (name == "--device-memory")
      options.device_memory = device_memory_from(arguments[i]);
    else
      options.builders = number_from(1, name, arguments[i]);
  }
  return options;
}

}  // namespace ridgeline::agent
