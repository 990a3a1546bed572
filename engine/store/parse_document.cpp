// Boost.JSON's tokenizer fills nlohmann's values, which core's codec reads. Compiled apart from the rest of
// the room: src.hpp is the whole of Boost.JSON.
#include "engine/store/parse_document.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/src.hpp>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.hpp"

namespace ridgeline::store {
namespace {

using boost::json::string_view;
using nlohmann::json;
using Problem = boost::system::error_code;

/// Builds an nlohmann::json from the tokens of Boost.JSON's parser, which calls one function for each token.
/// Every function returns whether to go on.
class DocumentBuilder {
 public:
  static constexpr auto max_object_size = std::numeric_limits<std::size_t>::max();
  static constexpr auto max_array_size = std::numeric_limits<std::size_t>::max();
  static constexpr auto max_key_size = std::numeric_limits<std::size_t>::max();
  static constexpr auto max_string_size = std::numeric_limits<std::size_t>::max();

  bool on_document_begin(Problem&) { return true; }
  bool on_document_end(Problem&) { return true; }
  bool on_object_begin(Problem&) { return enter(json::object()); }
  bool on_object_end(std::size_t, Problem&) { return leave(); }
  bool on_array_begin(Problem&) { return enter(json::array()); }
  bool on_array_end(std::size_t, Problem&) { return leave(); }
  bool on_key_part(string_view part, std::size_t, Problem&) { return append(part); }
  bool on_key(string_view rest, std::size_t, Problem&) {
    append(rest);
    auto& object = *open_.back()->get_ptr<json::object_t*>();
    // Keys were written in order, so each belongs at the end.
    member_ = &object.try_emplace(object.end(), std::exchange(text_, {}))->second;
    return true;
  }
  bool on_string_part(string_view part, std::size_t, Problem&) { return append(part); }
  bool on_string(string_view rest, std::size_t, Problem&) {
    append(rest);
    return put(std::exchange(text_, {}));
  }
  bool on_number_part(string_view, Problem&) { return true; }
  bool on_int64(std::int64_t value, string_view, Problem&) { return put(value); }
  bool on_uint64(std::uint64_t value, string_view, Problem&) { return put(value); }
  bool on_double(double value, string_view digits, Problem&) {
    // Boost's own value may be off by a unit in the last place; the store gives back what was measured.
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return put(value);
  }
  bool on_bool(bool value, Problem&) { return put(value); }
  bool on_null(Problem&) { return put(nullptr); }
  bool on_comment_part(string_view, Problem&) { return true; }
  bool on_comment(string_view, Problem&) { return true; }

  json take() { return std::move(root_); }

 private:
  bool append(string_view part) {
    text_.append(part.data(), part.size());
    return true;
  }
  bool put(json value) {
    add(std::move(value));
    return true;
  }
  bool enter(json container) {
    open_.push_back(&add(std::move(container)));
    return true;
  }
  bool leave() {
    open_.pop_back();
    return true;
  }
  json& add(json value) {
    if (open_.empty()) return root_ = std::move(value);
    if (auto* array = open_.back()->get_ptr<json::array_t*>()) return array->emplace_back(std::move(value));
    return *member_ = std::move(value);
  }

  json root_;
  std::vector<json*> open_;  ///< from the root to the innermost; each is its parent's last and stays in place
  json* member_ = nullptr;   ///< of the innermost object: the key that was read last
  std::string text_;         ///< of the key or string that is being read
};

}  // namespace

json parse_document(std::string_view text) {
  boost::json::basic_parser<DocumentBuilder> parser{boost::json::parse_options{}};
  Problem problem;
  const auto used = parser.write_some(false, text.data(), text.size(), problem);
  if (!problem && used < text.size()) problem = boost::json::error::extra_data;
  if (problem) throw Error("a document of the store is no JSON: " + problem.message());
  return parser.handler().take();
}

}  // namespace ridgeline::store
