// A suite whose tasks are a table in the test: all that the port asks for, and no file or process.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/suites/at_place.hpp"
#include "engine/suites/suite.hpp"

namespace ridgeline::suites {

/// y[i] = x[i] + 1 on eight elements, on `backend`.
inline Task small_task(const std::string& name, std::string_view backend) {
  const auto tensor = [](const char* called, Role role) {
    Tensor made;
    made.name = called;
    made.role = role;
    made.shape = {Expression::parse("8")};
    return made;
  };
  Task task;
  task.name = name;
  task.category = "small";
  task.difficulty = 1;
  task.description = "adds one";
  task.reference = "def reference(x):\n    return x + 1\n";
  task.parameters = {tensor("x", Role::in), tensor("y", Role::out)};
  Case only;
  only.name = "only";
  only.timed = true;
  only.backend = backend;
  task.cases = {only};
  task.contract = Elementwise{};
  task.operations = Expression::parse("8");
  task.bytes = Expression::parse("64");
  task.hash = hash_of(task);
  return task;
}

struct TableRow {
  std::string name, text;
  Standing standing = Standing::ok;
  std::string reason = "";
};

class TableSuite : public Suite {
 public:
  explicit TableSuite(std::vector<TableRow> table) : rows(std::move(table)) {}

  std::vector<TableRow> rows;
  bool describes = false;             ///< only_describes
  std::vector<std::string> examined;  ///< names, in the order in which they were
  bool processes_run = false;         ///< since a task was examined

  const Profile& profile() const override {
    static const Profile table{
        .name = "table",
        .title = "Table",
        .location = "the name of a table",
        .form = Form::kernel,
        .language = Language::cpp,
        .baselines = {Baseline::libtorch},
        .rule =
            ScoringRule{
                .title = "Table", .group = "page", .headline = 2, .thresholds = {0, 2}, .pass_counts = {1}},
        .options = {{"--page", "Of a suite table:NAME", "N"}}};
    return table;
  }
  bool only_describes() const override { return describes; }

  std::vector<ListedTask> list() override {
    std::vector<ListedTask> listed;
    for (const auto& row : rows) listed.push_back({"page1/" + row.name, row.name, "page1", {}});
    return listed;
  }
  Listing listing() override {
    Listing listing{.suite = "table", .header = {"task", "page"}, .rows = {}, .footer = "a table"};
    for (const auto& row : rows) {
      listing.rows.push_back({row.name, "1"});
      listing.documents.push_back({{"name", row.name}, {"page", 1}});
    }
    return listing;
  }
  Shown show(const std::string& name) override { return *describe(name, ""); }
  ListedTask find(const std::string& name) override {
    for (const auto& listed : list())
      if (listed.name == name || listed.file == name) return listed;
    throw BadInput("no task '" + name + "' in the table");
  }
  std::shared_ptr<const Task> describe(const std::string& name, std::string_view backend) override {
    return std::make_shared<const Task>(small_task(find(name).name, backend));
  }
  Finding examine(const ListedTask& task, const std::string&, const Examination& where) override {
    examined.push_back(task.name);
    processes_run = true;
    const auto& row = row_of(task.name);
    Finding finding{row.standing, row.reason, {}, {}};
    if (describes && row.standing == Standing::ok) finding.standing = Standing::unchecked;
    if (can_be_judged(finding.standing)) finding.task = *describe(task.name, where.backend);
    return finding;
  }
  void end_processes() override { processes_run = false; }
  std::string text(const ListedTask& task) override { return row_of(task.name).text; }
  CheckSummary check(const std::vector<std::string>&, const Prove&, const OnCheck& hear) override {
    CheckSummary summary;
    for (const auto& row : rows) {
      hear({row.name + " " + std::string(to_string(row.standing)) + "\n", {{"name", row.name}}, rows.size()});
      if (row.standing != Standing::ok) summary.status = 1;
    }
    summary.text = "every row was read";
    return summary;
  }

 private:
  const TableRow& row_of(const std::string& name) const {
    for (const auto& row : rows)
      if (row.name == name) return row;
    throw BadInput("no row '" + name + "'");
  }
};

/// Opens tables of two rows under any name but "none".
class TableKind : public SuiteKind {
 public:
  const Profile& profile() const override {
    static const TableSuite any({});
    return any.profile();
  }
  std::unique_ptr<Suite> open(const std::string& location, const OptionValues&) const override {
    if (location == "none") throw BadInput("table:none: there is no such table");
    return std::make_unique<TableSuite>(
        std::vector<TableRow>{{"first", "1"}, {"second", "2", Standing::degenerate, "passed by zeros"}});
  }
  std::unique_ptr<Suite> read(yaml::MapReader map) const override {
    const auto name = map.demand("table");
    map.finish();
    return at_place(name, [&] { return open(name.as<std::string>(), {}); });
  }
};

}  // namespace ridgeline::suites
