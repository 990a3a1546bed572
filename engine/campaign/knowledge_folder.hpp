// A campaign's knowledge folder: the user's own corpus of kernels, which a strategy may retrieve from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/campaign/config.hpp"
#include "prompts/knowledge_index.hpp"

namespace ridgeline::campaign {

/// Source files of the language (by extension) in the folder, at any depth, sorted by path; folders that are
/// links are not followed. Throws BadInput where the folder is not there or holds none.
std::vector<std::filesystem::path> knowledge_files(const std::filesystem::path& folder, Language language);

/// Reads them; names are relative to the folder. Nothing for "". Throws BadInput where a file cannot be read
/// or is larger than 1 MiB, which no kernel is.
std::optional<prompts::KnowledgeIndex> read_knowledge(const std::string& folder, Language language);

/// Hashes the names and texts of the folder's files; "" for "". Throws as `read_knowledge`.
Hash knowledge_hash(const std::string& folder, Language language);

/// True if the strategy asks for knowledge under these settings.
bool retrieves(const StrategyChoice& choice);

}  // namespace ridgeline::campaign
