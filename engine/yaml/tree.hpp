// A YAML document as plain data with places: what the strict reader walks over, free of yaml-cpp.
//
// Subtrees are shared and never changed once built: an alias is one more pointer to its anchor's subtree, and
// an override copies the nodes on its path (overrides.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/yaml/place.hpp"

namespace ridgeline::yaml {

struct Tree;
using TreePtr = std::shared_ptr<const Tree>;

struct Entry {
  std::string key;
  Place place;  ///< of the key
  TreePtr value;
};

struct Tree {
  enum class Kind { null, scalar, list, map };

  Kind kind = Kind::null;
  Place place;
  std::string scalar;
  bool quoted = false;  ///< in quotes or a block: a text, whatever it looks like
  std::vector<TreePtr> items;
  std::vector<Entry> entries;  ///< in the order of the file; keys are unique

  const Entry* find(const std::string& key) const;
};

/// Parses one document. Throws BadInput with the place for text that check_text refuses, bad YAML, a tab in
/// the indentation, a duplicate key, a key that is no scalar, a merge key, a tag, an alias inside its own
/// anchor, a second document, more than 100 levels, and more than 100,000 values or 1 MiB of text with every
/// alias written out. So whatever walks over the tree may call itself and takes a bounded time. `name` begins
/// every place; with `places` false (text from the command line) it is all there is.
TreePtr parse_tree(const std::string& text, const std::string& name, bool places = true);

}  // namespace ridgeline::yaml
