// Reads a campaign's knowledge folder: the user's own corpus of kernels, which a strategy may retrieve from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/campaign/config.hpp"
#include "prompts/knowledge_index.hpp"

namespace ridgeline::campaign {

/// Lists the source files of the language (by extension) in the folder, at any depth, sorted by path. Does
/// not follow links to folders. Throws BadInput if the folder is missing or holds no such file.
std::vector<std::filesystem::path> knowledge_files(const std::filesystem::path& folder, Language language);

/// Reads and indexes the folder's source files, named relative to the folder. Returns nullopt for "". Throws
/// BadInput if a file cannot be read or is larger than 1 MiB, which no kernel is.
std::optional<prompts::KnowledgeIndex> read_knowledge(const std::string& folder, Language language);

/// Hashes the names and texts of the folder's files. Returns "" for "". Throws as `read_knowledge`.
Hash knowledge_hash(const std::string& folder, Language language);

/// Returns whether the strategy asks for knowledge under these settings.
bool retrieves(const StrategyChoice& choice);

}  // namespace ridgeline::campaign
