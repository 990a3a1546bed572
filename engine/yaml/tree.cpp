#include "engine/yaml/tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "engine/core/error.hpp"
#include "engine/yaml/source_text.hpp"

namespace ridgeline::yaml {
namespace {

[[noreturn]] void fail(const Place& place, const std::string& what) {
  throw BadInput(fmt::format("{}: {}", place.text(), what));
}

/// The size of a subtree with every alias written out. A few lines of aliases to aliases stand for gigabytes
/// to a reader that follows them (the "billion laughs" attack).
struct Expanded {
  std::size_t nodes = 1;
  std::size_t bytes = 0;  ///< of scalars and keys
  std::size_t depth = 1;

  void add_child(const Expanded& child) {
    nodes += child.nodes;
    bytes += child.bytes;
    depth = std::max(depth, child.depth + 1);
  }
};

constexpr std::size_t most_nodes = 100'000;
constexpr std::size_t most_bytes = std::size_t{1} << 20;
constexpr const char* too_deep = "lists and maps are nested too deeply here; at most 100 levels are read";
constexpr std::size_t deepest = 100;  // levels: readers recurse

/// Builds the tree from the parser's events. yaml-cpp's own nodes are not used: they drop the second of two
/// equal keys silently and do not tell `"5"` from `5`.
class Builder : public YAML::EventHandler {
 public:
  Builder(const std::string& name, bool places)
      : name_(std::make_shared<const std::string>(name)), places_(places) {}

  TreePtr root() const { return root_; }
  Place place(const YAML::Mark& mark) const {
    return places_ ? Place{name_, mark.line + 1, mark.column + 1} : Place{name_, 0, 0};
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      fail(place(mark),
           "a second document begins here; one file holds one (is this line indented as it should be?)");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(start(Tree::Kind::null, mark, ""), anchor, {});
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail(place(mark), "this alias stands inside the node that it refers to");
    add(found->second.tree, 0, found->second.size, place(mark));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    auto tree = start(Tree::Kind::scalar, mark, tag);
    if (value.find('\0') != std::string::npos)
      fail(tree->place, "a NUL in a text, written as \\0; remove it");
    tree->scalar = value;
    tree->quoted = tag == "!";  // yaml-cpp's mark of a scalar that is not plain
    add(std::move(tree), anchor, {.bytes = value.size()});
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(start(Tree::Kind::list, mark, tag), anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(start(Tree::Kind::map, mark, tag), anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    std::shared_ptr<Tree> tree;
    YAML::anchor_t anchor;
    std::optional<Entry> key;  ///< of a map: the key whose value comes next
    Expanded size;
    std::unordered_map<std::string, std::size_t> keys;  ///< of a map: each key's index in its entries
  };
  struct Anchored {
    TreePtr tree;
    Expanded size;
  };

  std::shared_ptr<Tree> start(Tree::Kind kind, const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != "?" && tag != "!")
      fail(place(mark), fmt::format("the tag '{}' is not understood; remove it", tag));
    auto tree = std::make_shared<Tree>();
    tree->kind = kind;
    tree->place = place(mark);
    return tree;
  }

  void open(std::shared_ptr<Tree> tree, YAML::anchor_t anchor) {
    if (open_.size() == deepest) fail(tree->place, too_deep);
    open_.push_back({std::move(tree), anchor, std::nullopt, {}, {}});
  }

  void close() {
    auto done = std::move(open_.back());
    open_.pop_back();
    add(std::move(done.tree), done.anchor, done.size);
  }

  /// Adds a finished node to the open list or map. `alias`: the place of an alias to it; the tree itself has
  /// its anchor's.
  void add(TreePtr tree, YAML::anchor_t anchor, const Expanded& size, std::optional<Place> alias = {}) {
    if (anchor != 0) anchors_[anchor] = {tree, size};
    if (open_.empty()) {
      root_ = std::move(tree);
      return;
    }
    auto& parent = open_.back();
    parent.size.add_child(size);
    check_size(parent.size, alias ? *alias : tree->place);
    if (parent.tree->kind == Tree::Kind::list) {
      parent.tree->items.push_back(std::move(tree));
    } else if (parent.key) {
      parent.key->value = std::move(tree);
      parent.tree->entries.push_back(std::move(*parent.key));
      parent.key.reset();
    } else {
      add_key(parent, *tree, alias ? *alias : tree->place);
    }
  }

  void check_size(const Expanded& size, const Place& place) const {
    if (open_.size() + size.depth - 1 > deepest) fail(place, too_deep);
    if (size.nodes > most_nodes || size.bytes > most_bytes)
      fail(place,
           fmt::format("the document is too large here; with its aliases written out it may hold {} values "
                       "and {} KiB of text",
                       most_nodes, most_bytes >> 10));
  }

  static void add_key(Open& map, const Tree& key, const Place& place) {
    if (key.kind != Tree::Kind::scalar) fail(place, "a key must be a word, as in name: value");
    if (key.scalar == "<<" && !key.quoted)
      fail(place, "merge keys (<<) are not read; write the keys of the other map out here");
    const auto [first, is_new] = map.keys.emplace(key.scalar, map.tree->entries.size());
    if (!is_new)
      fail(place, fmt::format("duplicate key '{}'; the first stands at {}: remove one of them", key.scalar,
                              map.tree->entries[first->second].place.text()));
    map.key = Entry{key.scalar, place, nullptr};
  }

  std::shared_ptr<const std::string> name_;
  bool places_;
  int documents_ = 0;
  TreePtr root_;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, Anchored> anchors_;
};

/// Returns the usual cause of a complaint of yaml-cpp's, which describes the parser's state and not the
/// writer's slip.
std::string hint(std::string_view complaint) {
  if (complaint.starts_with("end of map not found"))
    return "; is this line, or the one before, indented as it should be?";
  if (complaint.starts_with("illegal map value")) return "; a text with ': ' in it stands in quotes";
  if (complaint.starts_with("end of sequence flow not found")) return "; a ']' is missing";
  if (complaint.starts_with("end of map flow not found")) return "; a '}' is missing";
  return "";
}

/// Returns the line, from 1, at or just before `line` whose indentation holds a tab. yaml-cpp calls that a
/// bad "map value" or "end of map", which helps nobody.
std::optional<int> tab_in_indentation(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string current;
  std::optional<int> found;
  for (int number = 1; number <= line && std::getline(lines, current); ++number) {
    const auto indentation = current.find_first_not_of(" \t");
    if (number + 2 > line && current.substr(0, indentation).find('\t') != std::string::npos) found = number;
  }
  return found;
}

}  // namespace

const Entry* Tree::find(const std::string& key) const {
  for (const auto& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

TreePtr parse_tree(const std::string& text, const std::string& name, bool places) {
  check_text(text, name, places);
  Builder builder(name, places);
  try {
    std::istringstream in(text);
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::DeepRecursion& error) {
    fail(builder.place(error.mark), too_deep);
  } catch (const YAML::Exception& error) {
    auto place = builder.place(error.mark);
    if (const auto tab = tab_in_indentation(text, error.mark.line + 1)) {
      if (places) place = Place{place.source, *tab, 1};
      fail(place, "a tab in the indentation; YAML indents by spaces");
    }
    fail(place, fmt::format("this is not YAML: {}{}", error.msg, hint(error.msg)));
  }
  if (builder.root()) return builder.root();
  auto empty = std::make_shared<Tree>();
  empty->place = builder.place(YAML::Mark());
  return empty;
}

}  // namespace ridgeline::yaml
