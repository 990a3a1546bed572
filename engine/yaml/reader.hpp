// Reads YAML strictly: every key must be asked for, and every value must have its type. All errors are
// BadInput. They begin with file, line and column, or with the --set that the value comes from, and name the
// value that stands there. For a wrong name they list the valid ones, and suggest the nearest if it is near.
//
//   auto map = Document::from_file("campaign.yaml").root().map("campaign");
//   const auto name = map.required<std::string>("name");
//   const auto rounds = map.optional<int>("rounds", 3, in_range(1, 100));
//   for (const auto& item : map.required<std::vector<Node>>("strategies")) …
//   map.finish();  // rejects every key that nothing asked for
//
// Nodes are cheap to copy and keep their document alive. Reading one document from several threads is safe; a
// MapReader belongs to one thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/names.hpp"
#include "engine/yaml/place.hpp"
#include "engine/yaml/tree.hpp"

namespace ridgeline::yaml {

class MapReader;

/// A closed range that a number must lie in.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};
constexpr Range in_range(double min, double max) {
  return {min, max};
}
constexpr Range at_least(double min) {
  return {min, std::numeric_limits<double>::infinity()};
}

/// Recognises std::vector, whose elements Node::as reads one by one.
template <class T>
struct is_vector : std::false_type {};
template <class T>
struct is_vector<std::vector<T>> : std::true_type {};

/// One value of a document: a scalar, a list, a map or nothing.
class Node {
 public:
  /// `path` names the node in messages ("budgets.tokens"); it is empty for the root.
  explicit Node(TreePtr tree, std::string path = "") : tree_(std::move(tree)), path_(std::move(path)) {}

  const Place& place() const { return tree_->place; }
  const std::string& path() const { return path_; }
  bool is_null() const { return tree_->kind == Tree::Kind::null; }
  bool is_scalar() const { return tree_->kind == Tree::Kind::scalar; }
  bool is_list() const { return tree_->kind == Tree::Kind::list; }
  bool is_map() const { return tree_->kind == Tree::Kind::map; }
  const TreePtr& tree() const { return tree_; }

  /// Reads the value as bool, an integer type (up to int64's largest), double, std::string,
  /// std::filesystem::path, an enum with names, Node itself, or a std::vector of these. As a text or a path
  /// it gives any scalar as written, so 5 and true too. Throws BadInput where the value is of another type,
  /// or beyond the integer type.
  template <class T>
  T as() const;
  /// Reads the value and checks that it lies in `range`; in a list, each element must. `range` is ignored for
  /// all but numbers. NaN lies in no range but the default, which is no limit.
  template <class T>
  T as(Range range) const;

  /// Opens the node as a map; `what` names it in messages ("campaign"), by default its path does. Throws
  /// BadInput where it is no map, also where it is nothing.
  MapReader map(std::string what = "") const;
  /// Returns the elements of the node. Throws BadInput where it is no list, also where it is nothing.
  std::vector<Node> list() const;

  /// Throws BadInput "file:line:column: <what>".
  [[noreturn]] void fail(const std::string& what) const;
  /// Throws BadInput "file:line:column: '<path>' must be <wanted>, but is <what it is>".
  [[noreturn]] void fail_type(std::string_view wanted) const;

 private:
  bool read_bool() const;
  std::int64_t read_int64(std::int64_t min, std::int64_t max) const;
  double read_double() const;
  std::string read_text() const;
  [[noreturn]] void fail_name(const std::vector<std::string>& known) const;
  void check_range(double value, Range range) const;

  TreePtr tree_;
  std::string path_;
};

/// Reads one map. A key that was asked for counts as known; `finish` rejects all others.
class MapReader {
 public:
  /// As Node::map.
  MapReader(Node node, std::string what);

  /// Reads the value of a key that must be present and have a value.
  template <class T>
  T required(const std::string& key, Range range = {}) {
    return demand(key).as<T>(range);
  }
  /// Reads the value of a key, or returns `otherwise` where the key is missing or has no value.
  template <class T>
  T optional(const std::string& key, T otherwise, Range range = {}) {
    const auto node = find(key);
    return node ? node->as<T>(range) : std::move(otherwise);
  }
  /// Reads the value of a key, or returns nullopt where the key is missing or has no value.
  template <class T>
  std::optional<T> optional(const std::string& key, Range range = {}) {
    const auto node = find(key);
    return node ? std::optional<T>(node->as<T>(range)) : std::nullopt;
  }

  /// Opens the nested map under a key that must be present and have a value.
  MapReader map(const std::string& key) { return demand(key).map(); }
  /// Opens the nested map under a key, or returns nullopt where the key is missing or has no value.
  std::optional<MapReader> optional_map(const std::string& key);

  /// Returns the node under a key, or nullopt where the key is missing or has no value. The key then counts
  /// as known.
  std::optional<Node> find(const std::string& key);
  /// Returns the node under a key, which then counts as known. Throws BadInput where the key is missing or
  /// has no value.
  Node demand(const std::string& key);
  /// Returns whether the key is in the file, with or without a value. It does not become known by this.
  bool has(const std::string& key) const { return node_.tree()->find(key) != nullptr; }
  /// Returns all keys in the file's order, for maps whose keys the user chooses. They do not become known by
  /// this.
  std::vector<std::string> keys() const;

  const Node& node() const { return node_; }
  [[noreturn]] void fail(const std::string& what) const { node_.fail(what); }

  /// Throws BadInput for the first key of this map that nothing asked for, with a list of those that were.
  /// Maps within it have a `finish` of their own.
  void finish() const;

 private:
  bool is_known(const std::string& key) const;
  [[noreturn]] void fail_missing(const std::string& key) const;

  Node node_;
  std::string what_;
  std::vector<std::string> known_;
};

/// A parsed file. It owns the tree; nodes share it.
class Document {
 public:
  /// Parses a file. Throws BadInput where it cannot be read or parse_tree refuses it.
  static Document from_file(const std::filesystem::path& path);
  /// Parses a text; `name` stands in its places for the file.
  static Document from_text(const std::string& text, const std::string& name);

  Node root() const { return Node(tree_); }
  const std::string& name() const { return name_; }
  /// Replaces the document by a changed tree (overrides.hpp); nodes read before keep the old one.
  void replace_root(TreePtr tree) { tree_ = std::move(tree); }

 private:
  Document(TreePtr tree, std::string name) : tree_(std::move(tree)), name_(std::move(name)) {}

  TreePtr tree_;
  std::string name_;
};

template <class T>
T Node::as(Range range) const {
  if constexpr (is_vector<T>::value) {
    T values;
    for (const auto& item : list()) values.push_back(item.as<typename T::value_type>(range));
    return values;
  } else if constexpr (std::is_same_v<T, Node>) {
    return *this;
  } else if constexpr (std::is_same_v<T, bool>) {
    return read_bool();
  } else if constexpr (std::integral<T>) {
    static_assert(sizeof(T) < 8 || std::is_signed_v<T> || std::is_same_v<T, std::uint64_t>);
    constexpr auto largest = std::numeric_limits<std::int64_t>::max();
    constexpr auto max = std::in_range<std::int64_t>(std::numeric_limits<T>::max())
                             ? static_cast<std::int64_t>(std::numeric_limits<T>::max())
                             : largest;
    const auto value = read_int64(static_cast<std::int64_t>(std::numeric_limits<T>::min()), max);
    check_range(static_cast<double>(value), range);
    return static_cast<T>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    const auto value = read_double();
    check_range(value, range);
    return value;
  } else if constexpr (NamedEnum<T>) {
    const auto value = from_name<T>(is_scalar() ? tree_->scalar : std::string());
    if (!value) fail_name(all_names<T>());
    return *value;
  } else {
    static_assert(std::is_same_v<T, std::string> || std::is_same_v<T, std::filesystem::path>,
                  "as<T> knows bool, integers, double, string, path, named enums, Node and vectors of these");
    return T(read_text());
  }
}

template <class T>
T Node::as() const {
  return as<T>(Range{});
}

}  // namespace ridgeline::yaml
