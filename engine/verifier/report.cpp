#include "engine/verifier/report.hpp"

#include <fmt/format.h>

#include "engine/verifier/pattern.hpp"
#include "engine/verifier/poison.hpp"

namespace ridgeline::verifier {
namespace {

/// The index along each axis of flat element `element`.
std::vector<std::int64_t> index_of(std::int64_t element, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = element % shape[axis];
    element /= shape[axis];
  }
  return index;
}

/// Marks with 1 the elements that still hold poison.
std::vector<std::uint8_t> unwritten_of(const Scan& input) {
  std::vector<std::uint8_t> unwritten(static_cast<std::size_t>(input.elements));
  const auto* bytes = static_cast<const std::byte*>(input.got);
  for (std::size_t i = 0; i < unwritten.size(); ++i)
    unwritten[i] = is_poison(input.dtype, bytes + i * size_of(input.dtype)) ? 1 : 0;
  return unwritten;
}

}  // namespace

Mismatch report(const Case& task_case, InputSet set, const Tensor& output,
                const std::vector<std::int64_t>& shape, const Scan& input, const ScanResult& result,
                const std::vector<std::uint8_t>& wrong) {
  Mismatch m;
  m.case_name = task_case.name;
  m.hidden = task_case.hidden;
  m.input_set = set;
  m.output = output.name;
  m.shape = shape;
  m.elements = input.elements;
  m.wrong = result.wrong;
  m.worst_absolute = result.worst_absolute;
  m.worst_relative = result.worst_relative;
  m.tolerance = result.tolerance_at_worst;

  const auto values = values_of(input);
  // Without tolerances every difference counts, so patterns compare with a tolerance of 0.
  const std::vector<double> zero_tolerance(input.tolerance == nullptr ? values.expected.size() : 0);
  const auto unwritten = unwritten_of(input);
  Field field;
  field.columns = shape.empty() ? 1 : shape.back();
  field.rows = field.columns == 0 ? 0 : input.elements / field.columns;
  field.height = shape.size() < 2 ? 1 : shape.end()[-2];
  field.expected = values.expected;
  field.got = values.got;
  field.tolerance = input.tolerance == nullptr ? std::span<const double>(zero_tolerance)
                                               : std::span(input.tolerance, values.expected.size());
  field.wrong = wrong;
  field.unwritten = unwritten;
  auto finding = classify(field);
  m.pattern = finding.pattern;
  m.pattern_detail = std::move(finding.detail);

  for (std::size_t i = 0; i < wrong.size() && m.first.size() < 5; ++i)
    if (wrong[i] != 0)
      m.first.push_back({index_of(static_cast<std::int64_t>(i), shape), values.expected[i], values.got[i]});
  return m;
}

std::string describe(const Mismatch& m) {
  return fmt::format("case '{}', {} inputs, output '{}': {} of {} elements wrong, {} ({})",
                     m.hidden ? "an unseen case" : m.case_name, to_string(m.input_set), m.output, m.wrong,
                     m.elements, to_string(m.pattern), m.pattern_detail);
}

}  // namespace ridgeline::verifier
