#include "engine/yaml/tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <optional>
#include <sstream>

#include "engine/core/error.hpp"

namespace ridgeline::yaml {
namespace {

[[noreturn]] void fail(const Place& place, const std::string& what) {
  throw BadInput(fmt::format("{}: {}", place.text(), what));
}

/// Builds the tree from the parser's events. yaml-cpp's own nodes are not used: they drop the second of two
/// equal keys without a word and do not tell `"5"` from `5`.
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
    add(start(Tree::Kind::null, mark, "", anchor), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail(place(mark), "this alias stands inside the node that it refers to");
    add(found->second, 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    auto tree = start(Tree::Kind::scalar, mark, tag, anchor);
    tree->scalar = value;
    tree->quoted = tag == "!";  // yaml-cpp's mark of a scalar that is not plain
    add(std::move(tree), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open_.push_back({start(Tree::Kind::list, mark, tag, anchor), anchor, std::nullopt});
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open_.push_back({start(Tree::Kind::map, mark, tag, anchor), anchor, std::nullopt});
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    std::shared_ptr<Tree> tree;
    YAML::anchor_t anchor;
    std::optional<Entry> key;  ///< of a map: read, its value still to come
  };

  std::shared_ptr<Tree> start(Tree::Kind kind, const YAML::Mark& mark, const std::string& tag,
                              YAML::anchor_t) {
    if (!tag.empty() && tag != "?" && tag != "!")
      fail(place(mark), fmt::format("the tag '{}' is not understood; remove it", tag));
    auto tree = std::make_shared<Tree>();
    tree->kind = kind;
    tree->place = place(mark);
    return tree;
  }

  void close() {
    auto done = std::move(open_.back());
    open_.pop_back();
    add(std::move(done.tree), done.anchor);
  }

  void add(TreePtr tree, YAML::anchor_t anchor) {
    if (anchor != 0) anchors_[anchor] = tree;
    if (open_.empty()) {
      root_ = std::move(tree);
      return;
    }
    auto& parent = open_.back();
    if (parent.tree->kind == Tree::Kind::list) {
      parent.tree->items.push_back(std::move(tree));
    } else if (parent.key) {
      parent.key->value = std::move(tree);
      parent.tree->entries.push_back(std::move(*parent.key));
      parent.key.reset();
    } else {
      add_key(parent, *tree);
    }
  }

  static void add_key(Open& map, const Tree& key) {
    if (key.kind != Tree::Kind::scalar) fail(key.place, "a key must be a word");
    if (const auto* first = map.tree->find(key.scalar))
      fail(key.place,
           fmt::format("duplicate key '{}'; the first stands at {}", key.scalar, first->place.text()));
    map.key = Entry{key.scalar, key.place, nullptr};
  }

  std::shared_ptr<const std::string> name_;
  bool places_;
  int documents_ = 0;
  TreePtr root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, TreePtr> anchors_;
};

/// The line, from 1, at or closely before `line` whose indentation holds a tab: yaml-cpp then complains of a
/// "map value" or an "end of map" there, which helps nobody.
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

std::string Place::text() const {
  if (!source) return "?";
  return line > 0 ? fmt::format("{}:{}:{}", *source, line, column) : *source;
}

const Entry* Tree::find(const std::string& key) const {
  for (const auto& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

TreePtr parse_tree(const std::string& text, const std::string& name, bool places) {
  Builder builder(name, places);
  try {
    std::istringstream in(text);
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::DeepRecursion& error) {
    fail(builder.place(error.mark), "lists and maps are nested too deeply here");
  } catch (const YAML::Exception& error) {
    auto place = builder.place(error.mark);
    if (const auto tab = tab_in_indentation(text, error.mark.line + 1)) {
      if (places) place = Place{place.source, *tab, 1};
      fail(place, "a tab in the indentation; YAML indents by spaces");
    }
    fail(place, fmt::format("this is not YAML: {}", error.msg));
  }
  if (builder.root()) return builder.root();
  auto empty = std::make_shared<Tree>();
  empty->place = builder.place(YAML::Mark());
  return empty;
}

}  // namespace ridgeline::yaml
