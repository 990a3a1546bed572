#include "engine/yaml/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/yaml/scalars.hpp"

namespace ridgeline::yaml {
namespace {

using nlohmann::json;

json scalar_to_json(const Tree& tree) {
  if (const auto value = as_bool(tree)) return *value;
  if (const auto value = as_int64(tree)) return *value;
  if (const auto value = as_double(tree); value && std::isfinite(*value)) return *value;
  return tree.scalar;
}

json tree_to_json(const Tree& tree) {
  switch (tree.kind) {
    case Tree::Kind::null:
      return nullptr;
    case Tree::Kind::scalar:
      return scalar_to_json(tree);
    case Tree::Kind::list: {
      auto list = json::array();
      for (const auto& item : tree.items) list.push_back(tree_to_json(*item));
      return list;
    }
    case Tree::Kind::map:
      break;
  }
  auto map = json::object();
  for (const auto& entry : tree.entries) map[entry.key] = tree_to_json(*entry.value);
  return map;
}

}  // namespace

nlohmann::json to_json(const Node& node) {
  return tree_to_json(*node.tree());
}

}  // namespace ridgeline::yaml
