// A parsed YAML document as plain data with places, free of yaml-cpp's types; the strict reader reads it.
//
// Subtrees are shared and never change once built: an alias is a second pointer to its anchor's subtree, and
// an override copies the nodes on its path (overrides.hpp). So several threads may read one tree.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/yaml/place.hpp"

namespace ridgeline::yaml {

struct Tree;
using TreePtr = std::shared_ptr<const Tree>;

/// One key of a map with its value.
struct Entry {
  std::string key;
  Place place;  ///< where the key stands
  TreePtr value;
};

/// One node. `scalar`, `items` or `entries` is filled, as `kind` says.
struct Tree {
  enum class Kind { null, scalar, list, map };

  Kind kind = Kind::null;
  Place place;
  std::string scalar;
  bool quoted = false;  ///< in quotes or a block: a text, whatever it looks like
  std::vector<TreePtr> items;
  std::vector<Entry> entries;  ///< in the order of the file; keys are unique

  /// Returns the entry with this key, or null. It searches in order: maps are small.
  const Entry* find(const std::string& key) const;
};

/// Parses one document. Throws BadInput with the place for text that check_text refuses, bad YAML, a tab in
/// the indentation, a duplicate key, a key that is no scalar, a merge key, a tag, an alias inside its own
/// anchor, a second document, more than 100 levels, and more than 100,000 values or 1 MiB of text with every
/// alias written out. These limits allow readers to recurse and bound their time. `name` is the source of
/// every place; with `places` false (text from the command line) places have no line.
TreePtr parse_tree(const std::string& text, const std::string& name, bool places = true);

}  // namespace ridgeline::yaml
