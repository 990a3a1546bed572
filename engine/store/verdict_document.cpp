#include "engine/store/verdict_document.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "engine/store/parse_document.hpp"

namespace ridgeline::store {
namespace {

using nlohmann::json;

/// Calls `change` with the `samples` of each duration of each timed case.
template <class Change>
void for_all_samples(json& document, Change change) {
  const auto timing = document.find("timing");
  if (timing == document.end() || !timing->is_object()) return;
  for (auto& timed_case : timing->at("cases"))
    for (auto& field : timed_case)  // found by their shape, so that a new duration needs no line here
      if (field.is_object() && field.contains("samples")) change(field["samples"]);
}

/// JSON has no NaN, and nlohmann writes null for it. Below the first level of a verdict's document nothing
/// else is null.
void read_null_as_nan(json& value) {
  for (auto& field : value)
    if (field.is_structured())
      read_null_as_nan(field);
    else if (field.is_null())
      field = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

StoredVerdict stored_verdict(const Verdict& verdict) {
  StoredVerdict stored;
  json document = verdict;
  document.erase("ceilings");
  for_all_samples(document, [&stored](json& samples) {
    const auto first = stored.samples.size();
    for (const auto& sample : samples) stored.samples.push_back(sample.get<double>());
    samples = {first, stored.samples.size() - first};
  });
  stored.document = dump_json(document);
  return stored;
}

Verdict verdict_of(const std::string& document, const std::vector<double>& samples) {
  auto parsed = parse_document(document);
  for_all_samples(parsed, [&samples](json& place) {
    const auto [first, count] = place.get<std::array<std::size_t, 2>>();
    if (first > samples.size() || count > samples.size() - first)
      throw Error("a verdict in the store has lost its samples: the file was changed by another program");
    const auto begin = samples.begin() + static_cast<std::ptrdiff_t>(first);
    place = std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(count));
  });
  for (auto& part : parsed)
    if (part.is_structured()) read_null_as_nan(part);
  return parsed.get<Verdict>();
}

std::vector<Roofline> rooflines_in(const std::string& part) {
  auto parsed = parse_document(part);
  read_null_as_nan(parsed);
  return parsed.get<std::vector<Roofline>>();
}

}  // namespace ridgeline::store
