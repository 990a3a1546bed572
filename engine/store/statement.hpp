// Binding and reading rows in column order, over SQLiteCpp. What is bound must outlive the step: texts are
// not copied.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/names.hpp"
#include "engine/store/sqlite_errors.hpp"

namespace ridgeline::store {

struct TextOrNull {
  const std::string& text;  ///< "" is stored as NULL
};
struct IdOrNull {
  std::int64_t id;  ///< 0 is stored as NULL, and NULL is read as 0
};

inline void bind_value(SQLite::Statement& s, int i, const std::string& text) {
  s.bindNoCopy(i, text);
}
inline void bind_value(SQLite::Statement& s, int i, double value) {
  s.bind(i, value);
}
inline void bind_value(SQLite::Statement& s, int i, std::int64_t value) {
  s.bind(i, value);
}
inline void bind_value(SQLite::Statement& s, int i, int value) {
  s.bind(i, static_cast<std::int32_t>(value));
}
inline void bind_value(SQLite::Statement& s, int i, bool value) {
  s.bind(i, static_cast<std::int32_t>(value));
}
inline void bind_value(SQLite::Statement& s, int i, TextOrNull value) {
  value.text.empty() ? s.bind(i) : s.bindNoCopy(i, value.text);
}
inline void bind_value(SQLite::Statement& s, int i, IdOrNull value) {
  value.id == 0 ? s.bind(i) : s.bind(i, value.id);
}
inline void bind_value(SQLite::Statement& s, int i, std::optional<double> value) {
  value ? s.bind(i, *value) : s.bind(i);
}
/// Samples: little-endian IEEE doubles.
inline void bind_value(SQLite::Statement& s, int i, const std::vector<double>& values) {
  // An empty vector may have no address, and a blob without one would be NULL.
  s.bindNoCopy(i, values.empty() ? static_cast<const void*>("") : values.data(),
               static_cast<int>(values.size() * sizeof(double)));
}
struct SamplesOrNull {
  const std::vector<double>& samples;
  bool present;  ///< false is stored as NULL
};
inline void bind_value(SQLite::Statement& s, int i, SamplesOrNull value) {
  value.present ? bind_value(s, i, value.samples) : s.bind(i);
}
struct Bytes {
  const std::string& bytes;  ///< stored as a BLOB
};
inline void bind_value(SQLite::Statement& s, int i, Bytes value) {
  s.bindNoCopy(i, static_cast<const void*>(value.bytes.data()), static_cast<int>(value.bytes.size()));
}
template <NamedEnum E>
void bind_value(SQLite::Statement& s, int i, E value) {
  const auto name = to_string(value);  // a literal: it outlives every statement and ends with a zero
  s.bindNoCopy(i, name.data());        // NOLINT(bugprone-suspicious-stringview-data-usage)
}

/// "INSERT INTO table (columns) VALUES (?, …)" with a mark a column.
std::string insert_into(const std::string& table, const std::string& columns);

/// Binds all values from the first parameter on, runs the statement, and leaves it ready for the next row.
template <class... Values>
void write_row(SQLite::Statement& statement, const Values&... values) {
  statement.tryReset();  // reports the failure of the row before, if that one failed: already thrown
  int index = 0;
  (bind_value(statement, ++index, values), ...);
  statement.exec();
  statement.reset();
}

/// Runs `read`; what SQLite throws becomes an error for people.
template <class Read>
auto guarded(const SQLite::Database& database, Read read) {
  try {
    return read();
  } catch (const SQLite::Exception& error) {
    raise(error, database.getFilename());
  }
}

/// Takes the columns of the current row one after the other.
class Columns {
 public:
  explicit Columns(SQLite::Statement& statement, int first = 0) : statement_(statement), next_(first) {}

  bool at_null() { return statement_.getColumn(next_).isNull(); }
  void skip() { ++next_; }
  std::string text() {
    const auto column = statement_.getColumn(next_++);
    const char* bytes = column.getText();
    return std::string(bytes, static_cast<std::size_t>(column.getBytes()));
  }
  /// Reads a BLOB; "" for NULL.
  std::string bytes() {
    const auto column = statement_.getColumn(next_++);
    const auto* data = static_cast<const char*>(column.getBlob());
    return data ? std::string(data, static_cast<std::size_t>(column.getBytes())) : std::string();
  }
  std::int64_t number() { return statement_.getColumn(next_++).getInt64(); }
  int integer() { return statement_.getColumn(next_++).getInt(); }
  bool truth() { return integer() != 0; }
  /// NaN is stored as NULL, which SQLite makes of it.
  double real() {
    const auto column = statement_.getColumn(next_++);
    return column.isNull() ? std::numeric_limits<double>::quiet_NaN() : column.getDouble();
  }
  std::optional<double> optional_real() {
    if (!at_null()) return real();
    skip();
    return std::nullopt;
  }
  std::vector<double> doubles();
  /// Throws Error on a name that this version does not know.
  template <NamedEnum E>
  E name() {
    const auto found = text();
    if (const auto value = from_name<E>(found)) return *value;
    unknown_name(found);
  }

 private:
  [[noreturn]] static void unknown_name(const std::string& name);

  SQLite::Statement& statement_;
  int next_;
};

}  // namespace ridgeline::store
