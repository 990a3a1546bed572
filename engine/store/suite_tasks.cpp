#include "engine/store/suite_tasks.hpp"

#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/store/statement.hpp"

namespace ridgeline::store {
namespace {

constexpr const char* columns_of_suite =
    "campaign, ordinal, file, name, category, text_hash, task, standing, reason, notes";

}  // namespace

void keep_suite(SQLite::Database& database, Id campaign, const std::vector<SuiteTaskRecord>& suite) {
  SQLite::Statement insert(
      database, insert_into("suite_tasks", columns_of_suite) +
                    " ON CONFLICT (campaign, file) DO UPDATE SET ordinal = excluded.ordinal,"
                    " name = excluded.name, category = excluded.category, text_hash = excluded.text_hash,"
                    " task = excluded.task, standing = excluded.standing, reason = excluded.reason,"
                    " notes = excluded.notes");
  int ordinal = 0;
  for (const auto& one : suite)
    write_row(insert, campaign, ordinal++, one.file, one.name, one.category, one.text_hash,
              TextOrNull{one.task_hash}, one.standing, one.reason, dump_json(one.notes));
}

std::vector<SuiteTaskRecord> load_suite(const SQLite::Database& database, Id campaign) {
  return guarded(database, [&] {
    SQLite::Statement query(database,
                            "SELECT file, name, category, text_hash, coalesce(task, ''), standing, reason,"
                            " notes FROM suite_tasks WHERE campaign = ? ORDER BY ordinal, file");
    query.bind(1, campaign);
    std::vector<SuiteTaskRecord> suite;
    while (query.executeStep()) {
      Columns columns(query);
      SuiteTaskRecord one;
      one.file = columns.text();
      one.name = columns.text();
      one.category = columns.text();
      one.text_hash = columns.text();
      one.task_hash = columns.text();
      one.standing = columns.name<Standing>();
      one.reason = columns.text();
      one.notes = nlohmann::json::parse(columns.text()).get<std::vector<std::string>>();
      suite.push_back(std::move(one));
    }
    return suite;
  });
}

}  // namespace ridgeline::store
