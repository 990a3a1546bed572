#include "engine/yaml/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.hpp"
#include "engine/core/nearest.hpp"
#include "engine/yaml/nearest.hpp"
#include "engine/yaml/scalars.hpp"
#include "engine/yaml/source_text.hpp"

namespace ridgeline::yaml {
namespace {

[[noreturn]] void fail_at(const Place& place, const std::string& what) {
  throw BadInput(fmt::format("{}: {}", place.text(), what));
}

/// Names a node in a message: "'budgets.tokens'", or "the file" for the root.
std::string quoted_path(const std::string& path) {
  return path.empty() ? "the file" : fmt::format("'{}'", path);
}

}  // namespace

void Node::fail(const std::string& what) const {
  fail_at(place(), what);
}

void Node::fail_type(std::string_view wanted) const {
  fail(fmt::format("{} must be {}, but is {}", quoted_path(path_), wanted, described(*tree_)));
}

bool Node::read_bool() const {
  const auto value = as_bool(*tree_);
  if (!value) fail_type("true or false");
  return *value;
}

std::int64_t Node::read_int64(std::int64_t min, std::int64_t max) const {
  const auto value = as_int64(*tree_);
  if (!value) fail_type("a whole number");
  if (*value < min || *value > max)
    fail(fmt::format("{} is {}; it must be in {}..{}", quoted_path(path_), *value, min, max));
  return *value;
}

double Node::read_double() const {
  const auto value = as_double(*tree_);
  if (!value) fail_type("a number");
  return *value;
}

std::string Node::read_text() const {
  auto value = as_text(*tree_);
  if (!value) fail_type("a text");
  return std::move(*value);
}

void Node::fail_name(const std::vector<std::string>& known) const {
  if (!is_scalar()) fail_type("a name");
  fail(fmt::format("{} is '{}', which is no valid name{}", quoted_path(path_), tree_->scalar,
                   did_you_mean(tree_->scalar, known)));
}

void Node::check_range(double value, Range range) const {
  if (value >= range.min && value <= range.max) return;  // NaN passes only without a range, by the next line
  if (std::isinf(range.min) && std::isinf(range.max)) return;
  if (std::isinf(range.max))
    fail(fmt::format("{} is {}; it must be at least {}", quoted_path(path_), value, range.min));
  if (std::isinf(range.min))
    fail(fmt::format("{} is {}; it must be at most {}", quoted_path(path_), value, range.max));
  fail(fmt::format("{} is {}; it must be in {}..{}", quoted_path(path_), value, range.min, range.max));
}

std::vector<Node> Node::list() const {
  if (!is_list()) fail_type("a list");
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < tree_->items.size(); ++i)
    nodes.emplace_back(tree_->items[i], fmt::format("{}[{}]", path_, i));
  return nodes;
}

MapReader Node::map(std::string what) const {
  return MapReader(*this, std::move(what));
}

MapReader::MapReader(Node node, std::string what) : node_(std::move(node)), what_(std::move(what)) {
  if (!node_.is_map()) node_.fail_type("a map");
  if (what_.empty()) what_ = node_.path().empty() ? "the file" : node_.path();
}

bool MapReader::is_known(const std::string& key) const {
  return std::find(known_.begin(), known_.end(), key) != known_.end();
}

std::optional<Node> MapReader::find(const std::string& key) {
  if (!is_known(key)) known_.push_back(key);
  const auto* entry = node_.tree()->find(key);
  if (!entry || entry->value->kind == Tree::Kind::null) return std::nullopt;
  return Node(entry->value, node_.path().empty() ? key : node_.path() + "." + key);
}

Node MapReader::demand(const std::string& key) {
  if (auto node = find(key)) return *node;
  fail_missing(key);
}

std::optional<MapReader> MapReader::optional_map(const std::string& key) {
  const auto node = find(key);
  return node ? std::optional(node->map()) : std::nullopt;
}

std::vector<std::string> MapReader::keys() const {
  std::vector<std::string> keys;
  for (const auto& entry : node_.tree()->entries) keys.push_back(entry.key);
  return keys;
}

void MapReader::fail_missing(const std::string& key) const {
  if (const auto* entry = node_.tree()->find(key))
    fail_at(entry->place, fmt::format("key '{}' in {} has no value", key, what_));
  for (const auto& entry : node_.tree()->entries)  // a misspelt key: the message points at it
    if (!is_known(entry.key) && !nearest_name(entry.key, std::span(&key, 1)).empty())
      fail_at(entry.place, fmt::format("unknown key '{}' in {}; did you mean '{}'?", entry.key, what_, key));
  fail(fmt::format("missing key '{}' in {}", key, what_));
}

void MapReader::finish() const {
  for (const auto& entry : node_.tree()->entries)
    if (!is_known(entry.key))
      fail_at(entry.place,
              fmt::format("unknown key '{}' in {}{}", entry.key, what_, did_you_mean(entry.key, known_)));
}

Document Document::from_file(const std::filesystem::path& path) {
  return from_text(read_text_file(path), path.string());
}

Document Document::from_text(const std::string& text, const std::string& name) {
  return Document(parse_tree(text, name), name);
}

}  // namespace ridgeline::yaml
