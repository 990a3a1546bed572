#include "engine/compare/csv.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace ridgeline::compare {
namespace {

using nlohmann::json;
using Row = std::map<std::string, std::string>;
using Places = std::vector<std::pair<std::string, std::string>>;  // columns that say where a row belongs

constexpr std::size_t most_apart = 3;  // values of a list that have a column each

struct CsvTable {
  std::vector<std::string> columns;  ///< in the order in which they first appear
  std::vector<Row> rows;
};

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string out = "\"";
  for (const char c : cell) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string cell_of(const json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

bool is_plain(const json& list) {
  return std::ranges::none_of(list, [](const json& value) { return value.is_structured(); });
}

std::string place_in(const std::string& list, std::size_t i) {
  return list + "." + std::to_string(i);
}

/// Puts every list of a column into one cell, if a row has it so: a list of two values in one row may have
/// five in another.
void join_lists_of_uneven_length(CsvTable& table) {
  for (const auto& column : table.columns) {
    const auto in_one_cell = [&](const Row& row) { return row.contains(column) && !row.at(column).empty(); };
    if (std::ranges::none_of(table.rows, in_one_cell)) continue;
    for (auto& row : table.rows)
      for (std::size_t i = 0; i < most_apart; ++i)
        if (auto value = row.extract(place_in(column, i)); !value.empty())
          row[column] += (row[column].empty() ? "" : " ") + value.mapped();
  }
  std::erase_if(table.columns, [&](const auto& column) {
    return std::ranges::none_of(table.rows, [&](const Row& row) { return row.contains(column); });
  });
}

/// The columns without those of values that are null in some rows and have columns below them in others.
std::vector<std::string> columns_of(const CsvTable& table) {
  std::vector<std::string> columns;
  for (const auto& column : table.columns) {
    const bool empty = std::ranges::none_of(
        table.rows, [&](const Row& row) { return row.contains(column) && !row.at(column).empty(); });
    const bool divided = std::ranges::any_of(
        table.columns, [&](const auto& other) { return other.starts_with(column + "."); });
    if (!empty || !divided) columns.push_back(column);
  }
  return columns;
}

class Tables {
 public:
  void add(const std::string& name, const json& list, const Places& above) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      auto places = above;
      places.emplace_back("index", std::to_string(i));
      if (list[i].is_array() && !is_plain(list[i])) {
        places.back().first = name;
        add(name, list[i], places);
      } else {
        add_row(name, list[i], places);
      }
    }
  }
  void add_row(const std::string& name, const json& value, const Places& places) {
    Row row;
    auto& table = tables_[name];
    for (const auto& [column, place] : places) put(table, row, column, place);
    auto inside = places;
    if (!inside.empty()) inside.back().first = name;
    put_value(name, row, value.is_object() ? "" : "value", value, inside);
    tables_[name].rows.push_back(std::move(row));
  }
  std::map<std::string, std::string> texts() const {
    std::map<std::string, std::string> texts;
    for (const auto& [name, collected] : tables_) {
      auto table = collected;
      join_lists_of_uneven_length(table);
      auto& text = texts[name];
      const auto columns = columns_of(table);
      for (const auto& column : columns) text += (text.empty() ? "" : ",") + quoted(column);
      text += "\n";
      for (const auto& row : table.rows) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
          const auto cell = row.find(columns[i]);
          text += (i == 0 ? "" : ",") + (cell == row.end() ? "" : quoted(cell->second));
        }
        text += "\n";
      }
    }
    return texts;
  }

 private:
  static void put(CsvTable& table, Row& row, const std::string& column, const std::string& cell) {
    if (std::ranges::find(table.columns, column) == table.columns.end()) table.columns.push_back(column);
    row[column] = cell;
  }
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the document
  void put_value(const std::string& name, Row& row, const std::string& path, const json& value,
                 const Places& inside) {
    const auto under = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
    if (value.is_object()) {
      for (const auto& [key, member] : value.items()) put_value(name, row, under(key), member, inside);
    } else if (!value.is_array()) {
      put(tables_[name], row, path, cell_of(value));
    } else if (!is_plain(value)) {
      add(name == "summary" ? path : name + "." + path, value, name == "summary" ? Places() : inside);
    } else if (value.size() > 1 && value.size() <= most_apart) {
      for (std::size_t i = 0; i < value.size(); ++i)
        put(tables_[name], row, path.empty() ? std::to_string(i) : place_in(path, i), cell_of(value[i]));
    } else {
      std::string joined;
      for (const auto& one : value) joined += (joined.empty() ? "" : " ") + cell_of(one);
      put(tables_[name], row, path, joined);
    }
  }

  std::map<std::string, CsvTable> tables_;
};

}  // namespace

std::map<std::string, std::string> csv_tables(const json& document) {
  Tables tables;
  json summary = json::object();
  for (const auto& [key, value] : document.items())
    if (value.is_array())
      tables.add(key, value, {});
    else
      summary[key] = value;
  tables.add_row("summary", summary, {});
  return tables.texts();
}

}  // namespace ridgeline::compare
