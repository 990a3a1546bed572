#include "engine/compare/kernelbench_x_json.hpp"

#include <nlohmann/json.hpp>

namespace ridgeline::compare {
namespace {

using nlohmann::json;

json of(const QuantizationRow& row) {
  json out{{"strategy", row.strategy}, {"tasks", row.tasks},
           {"solved", row.solved},     {"candidates", row.candidates},
           {"measured", row.measured}, {"not_quantized", row.not_quantized},
           {"cosine", nullptr},        {"relative_l1", nullptr},
           {"rmse", nullptr},          {"sqnr_db", nullptr}};
  if (row.measured == 0) return out;
  out["cosine"] = row.distance.cosine;
  out["relative_l1"] = row.distance.relative_l1;
  out["rmse"] = row.distance.rmse;
  out["sqnr_db"] = row.distance.sqnr_db;
  return out;
}

json of(const Correlation& found) {
  return {{"tasks", found.tasks}, {"rho", found.rho}, {"p", found.p}, {"p_holm", found.p_holm}};
}

json of(const StructureRow& row) {
  return {{"strategy", row.strategy},
          {"count_of", row.proxy},
          {"solved", of(row.solved)},
          {"speedup", of(row.speedup)}};
}

json of(const CodeRow& row) {
  json out{{"strategy", row.strategy},
           {"by", row.python ? "radon" : "tokens"},
           {"kernels", row.kernels},
           {"unread", row.unread},
           {"maintainability_index", {{"median", nullptr}, {"lowest", nullptr}}},
           {"complexity", {{"median", nullptr}, {"most", nullptr}}}};
  if (row.kernels == 0) return out;
  out["maintainability_index"] = {{"median", row.index}, {"lowest", row.lowest_index}};
  out["complexity"] = {{"median", row.complexity}, {"most", row.most_complexity}};
  return out;
}

template <class T>
json rows_of(const std::vector<T>& rows) {
  json list = json::array();
  for (const auto& row : rows) list.push_back(of(row));
  return list;
}

}  // namespace

void add_kernelbench_x(json& document, const Comparison& comparison) {
  document["quantization"] = rows_of(comparison.quantization);
  document["structure"] = rows_of(comparison.structure);
  document["code"] = rows_of(comparison.code);
}

}  // namespace ridgeline::compare
