#include "engine/store/convert/version_11.hpp"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/store/columns.hpp"
#include "engine/store/convert/version_11_verdicts.hpp"
#include "engine/store/schema.hpp"
#include "engine/store/statement.hpp"
#include "engine/store/verdict_document.hpp"

namespace ridgeline::store {
namespace {

/// Lists the tables whose columns are the same in both versions; `evaluations` is not among them, and the
/// tables of a verdict's rows and of transitions are gone.
constexpr const char* unchanged_tables[] = {"campaigns",     "runs",          "tasks",     "suite_tasks",
                                            "trajectories",  "candidates",    "asks",      "failed_attempts",
                                            "started_calls", "effect_events", "baselines", "devices"};

/// The file in which the new store is built, removed whatever happens.
class ScratchFile {
 public:
  explicit ScratchFile(std::string path) : path_(std::move(path)) { remove(); }
  ~ScratchFile() { remove(); }
  ScratchFile(const ScratchFile&) = delete;  // it would be removed twice
  ScratchFile& operator=(const ScratchFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  void remove() const {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  std::string path_;
};

void attach(SQLite::Database& database, const std::string& path) {
  SQLite::Statement statement(database, "ATTACH ? AS version_11");
  statement.bind(1, path);
  statement.exec();
}

void copy_table(SQLite::Database& database, const std::string& table) {
  // By name: columns that a migration had added stand last in the old table.
  SQLite::Statement query(database, "SELECT group_concat(name, ', ') FROM pragma_table_info(?, 'main')");
  query.bind(1, table);
  query.executeStep();
  const std::string columns = query.getColumn(0).getString();
  database.exec("INSERT INTO main." + table + " (" + columns + ") SELECT " + columns + " FROM version_11." +
                table);
}

struct Evaluation {
  Id id = 0;
  bool has_verdict = false;
  Verdict verdict;
};

std::vector<Evaluation> evaluations_of(const SQLite::Database& database, Id trajectory) {
  SQLite::Statement rows(database, "SELECT id, verdict FROM version_11.evaluations WHERE trajectory = ?");
  rows.bind(1, trajectory);
  std::vector<Evaluation> evaluations;
  while (rows.executeStep()) {
    Columns columns(rows);
    Evaluation evaluation;
    evaluation.id = columns.number();
    evaluation.has_verdict = !columns.at_null();
    if (evaluation.has_verdict) evaluation.verdict = version_11_document(columns.text());
    evaluations.push_back(std::move(evaluation));
  }
  std::map<Id, Verdict*> verdicts;
  for (auto& evaluation : evaluations)
    if (evaluation.has_verdict) verdicts.emplace(evaluation.id, &evaluation.verdict);
  read_version_11_rows(database, trajectory, verdicts);
  return evaluations;
}

void copy_evaluations(SQLite::Database& database) {
  const std::string columns = std::string("id, ") + evaluation_columns;
  SQLite::Statement copy(database, "INSERT INTO main.evaluations (" + columns +
                                       ", verdict, samples) SELECT " + columns +
                                       ", ?2, ?3 FROM version_11.evaluations WHERE id = ?1");
  SQLite::Statement trajectories(database, "SELECT id FROM version_11.trajectories ORDER BY id");
  while (trajectories.executeStep())
    for (const auto& [id, has_verdict, verdict] :
         evaluations_of(database, trajectories.getColumn(0).getInt64())) {
      const auto stored = has_verdict ? stored_verdict(verdict) : StoredVerdict{};
      write_row(copy, id, TextOrNull{stored.document}, SamplesOrNull{stored.samples, has_verdict});
    }
}

void fill(SQLite::Database& database, const std::string& path) {
  create_schema(database);
  attach(database, path);
  {
    SQLite::Transaction transaction(database);
    for (const char* table : unchanged_tables) copy_table(database, table);
    copy_evaluations(database);
    transaction.commit();
  }
  database.exec("DETACH version_11");
}

}  // namespace

void convert_version_11(SQLite::Database& database, const std::string& path) {
  const ScratchFile scratch(path + ".converting");
  SQLite::Database converted(scratch.path(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  // Nobody else reads this file, and after a crash it is made anew.
  converted.exec("PRAGMA journal_mode = OFF");
  converted.exec("PRAGMA synchronous = OFF");
  try {
    fill(converted, path);
  } catch (const nlohmann::json::exception& error) {
    throw MachineCannot(path + " cannot be converted from schema version 11: a verdict in it is damaged (" +
                        error.what() + "). Nothing was changed: restore a copy, or name another store");
  }
  // BUSY and LOCKED come back as codes and are not thrown.
  if (SQLite::Backup(database, converted).executeStep() != SQLITE_DONE)
    throw MachineCannot(path +
                        " cannot be converted from schema version 11: another program holds its lock. "
                        "Nothing was changed: close that program and try again");
}

}  // namespace ridgeline::store
