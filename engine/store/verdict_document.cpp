#include "engine/store/verdict_document.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "engine/core/codec.hpp"

namespace ridgeline::store {

std::string document_of(Verdict& verdict) {
  auto errors = std::exchange(verdict.errors, {});
  auto rooflines = std::exchange(verdict.rooflines, {});
  auto ceilings = std::exchange(verdict.ceilings, {});
  auto cases = verdict.timing ? std::exchange(verdict.timing->cases, {}) : std::vector<CaseTiming>{};
  nlohmann::json document = verdict;
  verdict.errors = std::move(errors);
  verdict.rooflines = std::move(rooflines);
  verdict.ceilings = std::move(ceilings);
  if (verdict.timing) verdict.timing->cases = std::move(cases);
  document.erase("stages");
  return dump_json(document);
}

Verdict verdict_of(const std::string& document) {
  static const nlohmann::json no_stages = nlohmann::json(Verdict{}).at("stages");
  auto parsed = nlohmann::json::parse(document);
  parsed["stages"] = no_stages;
  return parsed.get<Verdict>();
}

}  // namespace ridgeline::store
