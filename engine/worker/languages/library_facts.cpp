#include "engine/worker/languages/library_facts.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"

namespace ridgeline::languages {
namespace {

// The JSON text, its length in 16 hexadecimal digits, the mark.
constexpr std::string_view kMark = "\nridgeline-facts-1\n";
constexpr std::size_t kDigits = 16;
constexpr std::size_t kLongest = 16 << 20;

}  // namespace

void append_facts(const std::filesystem::path& library, const std::vector<KernelResources>& resources) {
  const auto text = dump_json(nlohmann::json(resources));
  std::ofstream file{library, std::ios::binary | std::ios::app};
  file << text << fmt::format("{:016x}", text.size()) << kMark;
  if (!file.flush())
    throw MachineCannot("cannot write " + library.string() + ": " + std::strerror(errno) +
                        "; fix: free space, or name another cache folder");
}

std::vector<KernelResources> read_facts(const std::filesystem::path& library) try {
  std::ifstream file{library, std::ios::binary | std::ios::ate};
  const auto end = static_cast<std::size_t>(file.tellg());
  const auto read = [&](std::size_t at, std::size_t size) {
    std::string text(size, '\0');
    file.seekg(static_cast<std::streamoff>(at));
    file.read(text.data(), static_cast<std::streamsize>(size));
    return text;
  };
  constexpr auto tail = kDigits + kMark.size();
  if (!file || end < tail) return {};
  const auto foot = read(end - tail, tail);
  if (!std::string_view(foot).ends_with(kMark)) return {};
  const auto size = std::stoull(foot.substr(0, kDigits), nullptr, 16);
  if (size > kLongest || size > end - tail) return {};
  return nlohmann::json::parse(read(end - tail - size, size)).get<std::vector<KernelResources>>();
} catch (const std::exception&) {
  return {};  // facts advise; a library without them is as good a library
}

}  // namespace ridgeline::languages
