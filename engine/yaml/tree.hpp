// Holds a parsed YAML document as plain data, with the place of each node in the file. It is free of
// yaml-cpp's types. The strict reader (reader.hpp) turns it into settings.
//
// A tree never changes once it is built, so several threads may read it. Subtrees are shared: a YAML alias
// (*name) is a second pointer to the subtree that its anchor (&name) marks, and an override from the command
// line copies only the nodes on its path (overrides.hpp).
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

/// One node of the document, with what lies below it.
struct Tree {
  enum class Kind {
    null,    ///< no value: `null`, `~`, a key with nothing behind it, or an empty document
    scalar,  ///< a number, bool or text, in `scalar`
    list,    ///< in `items`
    map      ///< in `entries`
  };

  Kind kind = Kind::null;
  Place place;                 ///< where the node begins; of an aliased node, where its anchor stands
  std::string scalar;          ///< as written, without quotes; the reader decides what it means
  bool quoted = false;         ///< the scalar stands in quotes or a block, so it is text even if it is "5"
  std::vector<TreePtr> items;  ///< in the order of the file
  std::vector<Entry> entries;  ///< in the order of the file; keys are unique

  /// Returns the entry with this key, or a null pointer if there is none (in a node that is no map, always).
  /// It searches in order: maps are small.
  const Entry* find(const std::string& key) const;
};

/// Parses a text that holds at most one YAML document. Throws BadInput, which names the place, for
///  - text that check_text (source_text.hpp) refuses, bad YAML, and a tab in the indentation;
///  - YAML that is not supported: a key that is no scalar, a merge key (<<), a tag (!name), an alias inside
///    the node that its anchor marks, a second document;
///  - a duplicate key;
///  - more than 100 levels, 100,000 nodes or 1 MiB of text, where each alias counts as a copy of its subtree.
///    So readers can recurse, and a few lines of nested aliases cannot cost hours.
/// `name` is the source of every place (Place::source). With `places` false, for text from the command line,
/// places have no line.
TreePtr parse_tree(const std::string& text, const std::string& name, bool places = true);

}  // namespace ridgeline::yaml
