#include "engine/yaml/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "engine/core/error.hpp"
#include "engine/core/nearest.hpp"
#include "engine/yaml/nearest.hpp"
#include "engine/yaml/scalars.hpp"

namespace ridgeline::yaml {
namespace {

struct Override {
  std::string name;  // "--set a.b=value", the place of all that it sets
  std::vector<std::string> path;
  TreePtr value;

  [[noreturn]] void fail(const std::string& what) const { throw BadInput(fmt::format("{}: {}", name, what)); }
};

constexpr std::size_t longest_path = 50;  // keys: each is a level of the tree, of which parse_tree allows 100

/// Tells a value that is only blanks or a comment. `--set budget.total.tokens=$TOKENS` with the variable
/// unset would otherwise remove a cap without a word.
bool is_empty(const std::string& value) {
  const auto first = value.find_first_not_of(" \t\r\n");
  return first == std::string::npos || value[first] == '#';
}

/// Cuts a text to 200 bytes, at a character's end: by a slip of the shell it may be a whole file.
std::string in_short(const std::string& text) {
  constexpr std::size_t longest = 200;
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;  // not inside a UTF-8 character
  return text.substr(0, end) + "...";
}

Override parse_override(const std::string& text) {
  Override result{"--set " + in_short(text), {}, nullptr};
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    result.fail("must be key=value, as in budget.total.tokens=200000");
  if (is_empty(text.substr(equals + 1)))
    result.fail(fmt::format("no value; say {}=null to take the key away", text.substr(0, equals)));
  std::size_t begin = 0;
  while (begin <= equals) {
    if (result.path.size() == longest_path) result.fail("its path has too many keys");
    const auto end = std::min(text.find('.', begin), equals);
    if (end == begin) result.fail("an empty key stands in the path");
    result.path.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  result.value = parse_tree(text.substr(equals + 1), result.name, false);
  return result;
}

// Names the first `count` keys of a path in a message.
std::string joined(const std::vector<std::string>& path, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? "." : "") + path[i];
  return text.empty() ? "the file" : fmt::format("'{}'", text);
}

TreePtr with_override(const TreePtr& node, const Override& override, std::size_t depth);

TreePtr with_override_in_list(const Tree& list, const Override& override, std::size_t depth) {
  const auto& text = override.path[depth];
  std::size_t index = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc{} || stopped != text.data() + text.size() || index >= list.items.size())
    override.fail(fmt::format("{} at {} is a list of {}; '{}' is no index in it",
                              joined(override.path, depth), list.place.text(), list.items.size(), text));
  auto copy = std::make_shared<Tree>(list);
  copy->items[index] = with_override(list.items[index], override, depth + 1);
  return copy;
}

TreePtr with_override_in_map(const Tree& map, const Override& override, std::size_t depth) {
  const auto& key = override.path[depth];
  auto copy = std::make_shared<Tree>(map);
  copy->kind = Tree::Kind::map;  // an absent value becomes a map with this key
  const bool last = depth + 1 == override.path.size();
  if (last && override.value->kind == Tree::Kind::null) {
    std::erase_if(copy->entries, [&](const auto& entry) { return entry.key == key; });
    return copy;
  }
  for (auto& entry : copy->entries)
    if (entry.key == key) {
      entry.value = with_override(entry.value, override, depth + 1);
      return copy;
    }
  std::vector<std::string> present;
  for (const auto& entry : map.entries) present.push_back(entry.key);
  if (!last && !nearest_name(key, present).empty())
    override.fail(
        fmt::format("no '{}' in {}{}", key, joined(override.path, depth), did_you_mean(key, present)));
  auto absent = std::make_shared<Tree>();
  absent->place = override.value->place;
  copy->entries.push_back({key, override.value->place, with_override(absent, override, depth + 1)});
  return copy;
}

/// Returns a copy of `node` with the override's value in place of what stands at path[depth…]. Nodes off the
/// path are shared with the original.
TreePtr with_override(const TreePtr& node, const Override& override, std::size_t depth) {
  if (depth == override.path.size()) return override.value;
  switch (node->kind) {
    case Tree::Kind::map:
    case Tree::Kind::null:
      return with_override_in_map(*node, override, depth);
    case Tree::Kind::list:
      return with_override_in_list(*node, override, depth);
    case Tree::Kind::scalar:
      break;
  }
  override.fail(fmt::format("{} at {} is {}, which has no '{}'", joined(override.path, depth),
                            node->place.text(), described(*node), override.path[depth]));
}

}  // namespace

void apply_overrides(Document& document, const std::vector<std::string>& overrides) {
  for (const auto& text : overrides) {
    const auto override = parse_override(text);
    document.replace_root(with_override(document.root().tree(), override, 0));
  }
}

}  // namespace ridgeline::yaml
