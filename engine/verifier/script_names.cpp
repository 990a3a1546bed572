#include "engine/verifier/script_names.hpp"

#include <torch/csrc/jit/frontend/error_report.h>
#include <torch/csrc/jit/frontend/sugared_value.h>

#include <limits>
#include <map>
#include <numbers>

namespace ridgeline::verifier {
namespace {

using torch::jit::BuiltinFunction;
using torch::jit::GraphFunction;
using torch::jit::SimpleValue;
using torch::jit::SourceRange;
using torch::jit::SugaredValue;

const std::map<std::string, at::ScalarType>& integer_dtypes() {
  static const std::map<std::string, at::ScalarType> names{
      {"int64", at::kLong}, {"long", at::kLong},   {"int32", at::kInt},
      {"int", at::kInt},    {"int16", at::kShort}, {"short", at::kShort},
      {"int8", at::kChar},  {"uint8", at::kByte},  {"bool", at::kBool}};
  return names;
}

const std::map<std::string, double>& constants() {
  static const std::map<std::string, double> names{{"pi", std::numbers::pi},
                                                   {"e", std::numbers::e},
                                                   {"inf", std::numeric_limits<double>::infinity()},
                                                   {"nan", std::numeric_limits<double>::quiet_NaN()}};
  return names;
}

bool is_floating_name(const std::string& name) {
  return name.starts_with("float") || name == "double" || name == "half" || name == "bfloat16" ||
         name.starts_with("complex") || name == "cfloat" || name == "cdouble";
}

/// A module of operators: its attribute `field` is the operator aten::<prefix><field>.
class Operators : public SugaredValue {
 public:
  Operators(std::string name, std::string prefix) : name_(std::move(name)), prefix_(std::move(prefix)) {}

  std::string kind() const override { return "module " + name_; }

  std::shared_ptr<SugaredValue> attr(const SourceRange& place, GraphFunction& function,
                                     const std::string& field) override {
    auto& graph = *function.graph();
    // torch.pi and math.pi, but not torch.linalg.pi.
    if (const auto found = constants().find(field); found != constants().end() && prefix_.empty())
      return std::make_shared<SimpleValue>(graph.insertConstant(found->second, place));
    if (name_ == "torch") {
      if (const auto found = integer_dtypes().find(field); found != integer_dtypes().end())
        return std::make_shared<SimpleValue>(
            graph.insertConstant(static_cast<std::int64_t>(found->second), place));
      if (field == "linalg" || field == "special" || field == "fft")
        return std::make_shared<Operators>("torch." + field, field + "_");
      if (field == "nn") return std::make_shared<Operators>("torch.nn", "");
      if (is_floating_name(field))
        // NOLINTNEXTLINE(misc-throw-by-value-catch-by-reference): torch's reports are thrown by value
        throw torch::jit::ErrorReport(place)
            << "torch." << field << " would fix the precision, and the reference must also run in float64: "
            << "take the dtype from an argument, as in x.to(y.dtype) or torch.zeros_like(x)";
    }
    if (name_ == "torch.nn" && field == "functional")
      return std::make_shared<Operators>("torch.nn.functional", "");
    // The public function has another name than the operator with its defaults.
    const bool cross_entropy = name_ == "torch.nn.functional" && field == "cross_entropy";
    const auto symbol = "aten::" + prefix_ + (cross_entropy ? "cross_entropy_loss" : field);
    return std::make_shared<BuiltinFunction>(at::Symbol::fromQualString(symbol), std::nullopt);
  }

 private:
  std::string name_, prefix_;
};

class Names : public torch::jit::Resolver {
 public:
  std::shared_ptr<SugaredValue> resolveValue(const std::string& name, GraphFunction&,
                                             const SourceRange&) override {
    if (name == "torch" || name == "math") return std::make_shared<Operators>(name, "");
    if (name == "F") return std::make_shared<Operators>("torch.nn.functional", "");
    return nullptr;
  }
};

}  // namespace

torch::jit::ResolverPtr script_names() {
  return std::make_shared<Names>();
}

}  // namespace ridgeline::verifier
