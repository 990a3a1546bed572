#include "engine/yaml/file_paths.hpp"

#include <filesystem>

namespace ridgeline::yaml {

std::string path_in_file(const Node& node) {
  const auto written = node.as<std::string>();
  const auto& place = node.place();
  if (written.empty() || place.line == 0 || std::filesystem::path(written).is_absolute()) return written;
  return (std::filesystem::path(*place.source).parent_path() / written).lexically_normal().string();
}

std::string optional_path(MapReader& map, const std::string& key) {
  const auto node = map.find(key);
  return node ? path_in_file(*node) : std::string();
}

}  // namespace ridgeline::yaml
