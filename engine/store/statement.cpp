#include "engine/store/statement.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/core/error.hpp"

namespace ridgeline::store {

static_assert(std::endian::native == std::endian::little, "samples are stored as little-endian doubles");

std::string insert_into(const std::string& table, const std::string& columns) {
  const auto count = std::count(columns.begin(), columns.end(), ',') + 1;
  std::string marks = "?";
  for (std::ptrdiff_t i = 1; i < count; ++i) marks += ", ?";
  return "INSERT INTO " + table + " (" + columns + ") VALUES (" + marks + ")";
}

std::vector<double> Columns::doubles() {
  const auto column = statement_.getColumn(next_++);
  std::vector<double> values(static_cast<std::size_t>(column.getBytes()) / sizeof(double));
  if (!values.empty()) std::memcpy(values.data(), column.getBlob(), values.size() * sizeof(double));
  return values;
}

void Columns::unknown_name(const std::string& name) {
  throw Error("the store holds '" + name +
              "', which this ridgeline does not know: use the version that wrote it");
}

}  // namespace ridgeline::store
