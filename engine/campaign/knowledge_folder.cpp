#include "engine/campaign/knowledge_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"

namespace ridgeline::campaign {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t largest_file = 1 << 20;

std::string text_of(const fs::path& file) {
  std::error_code unknown;
  if (fs::file_size(file, unknown) > largest_file)
    throw BadInput(
        fmt::format("{}: larger than 1 MiB, or gone: no file of a knowledge folder", file.string()));
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  // Inserting an empty buffer would set the failbit: an empty file is fine.
  if (stream && stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!stream) throw BadInput(fmt::format("{}: cannot be read", file.string()));
  return std::move(text).str();
}

}  // namespace

std::vector<fs::path> knowledge_files(const fs::path& folder, Language language) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw BadInput(
        fmt::format("'{}' is no folder; knowledge names one that holds source files (paths are "
                    "relative to the campaign's file)",
                    folder.string()));
  const auto known = traits(language).texts;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->is_regular_file() && std::ranges::find(known, at->path().extension().string()) != known.end())
      files.push_back(at->path());
  if (error) throw BadInput(fmt::format("'{}' cannot be read: {}", folder.string(), error.message()));
  if (files.empty())
    throw BadInput(fmt::format("'{}' holds no {} source file ({})", folder.string(), to_string(language),
                               fmt::join(known, ", ")));
  std::ranges::sort(files);  // the order of a directory differs between file systems, the hash must not
  return files;
}

std::optional<prompts::KnowledgeIndex> read_knowledge(const std::string& folder, Language language) {
  if (folder.empty()) return std::nullopt;
  std::vector<prompts::KnowledgeFile> files;
  for (const auto& file : knowledge_files(folder, language))
    files.push_back({file.lexically_relative(folder).generic_string(), text_of(file)});
  return prompts::KnowledgeIndex(language, std::move(files));
}

Hash knowledge_hash(const std::string& folder, Language language) {
  if (folder.empty()) return {};
  std::string all;
  for (const auto& file : knowledge_files(folder, language))
    all += sha256_of({file.lexically_relative(folder).generic_string(), text_of(file)});
  return sha256(all);
}

bool retrieves(const StrategyChoice& choice) {
  const auto setting = choice.settings.find("knowledge");
  return setting != choice.settings.end() && setting->second != strategies::SettingValue(std::string("none"));
}

}  // namespace ridgeline::campaign
