#include "tests/fuzz/json_mutator.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/core/statistics.hpp"

namespace ridgeline::fuzz {
namespace {

using nlohmann::json;

json any_value(Random& random) {
  switch (random.below(14)) {
    case 0:
      return nullptr;
    case 1:
      return random.below(2) == 0;
    case 2:
      return 0;
    case 3:
      return -1;
    case 4:
      return std::numeric_limits<std::int64_t>::max();
    case 5:
      return std::numeric_limits<std::uint64_t>::max();
    case 6:
      return std::numeric_limits<std::int64_t>::min();
    case 7:
      return 1e300;
    case 8:
      return -0.5;
    case 9:
      return "";
    case 10:
      return "nan";
    case 11:
      return std::string(random.below(400), '\xC2');
    case 12:
      return json::array();
    default:
      return json::object();
  }
}

/// Collects every value of the document, the document itself among them.
void collect(json& value, std::vector<json*>& all) {
  all.push_back(&value);
  if (value.is_structured())
    for (auto& member : value) collect(member, all);
}

void change(json& document, Random& random) {
  std::vector<json*> all;
  collect(document, all);
  auto& chosen = *all[random.below(all.size())];
  const auto other = *all[random.below(all.size())];
  switch (random.below(5)) {
    case 0:
      chosen = any_value(random);
      return;
    case 1:
      chosen = other;
      return;
    case 2:
      if (chosen.is_structured() && !chosen.empty())
        chosen.erase(std::next(chosen.begin(), static_cast<std::ptrdiff_t>(random.below(chosen.size()))));
      return;
    case 3:
      if (chosen.is_array()) chosen.insert(chosen.end(), 1 + random.below(3), other);
      return;
    default:
      if (chosen.is_number_integer())
        chosen = chosen.get<std::uint64_t>() + (random.below(2) == 0 ? 1 : ~0ull);
      if (chosen.is_string()) chosen = chosen.get<std::string>().substr(0, random.below(40));
  }
}

}  // namespace

std::string mutate_json(std::string_view text, unsigned seed) {
  auto document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return "";
  Random random(seed);
  for (std::size_t changes = 1 + random.below(4); changes > 0; --changes) change(document, random);
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace ridgeline::fuzz
