#include "engine/store/journal.hpp"

#include <tuple>
#include <utility>

#include "engine/store/columns.hpp"
#include "engine/store/evaluations.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/rows.hpp"

namespace ridgeline::store {
namespace {

std::tuple<int, int> address(const AskEntry& entry) {
  return {entry.record.step, entry.record.slot};
}
std::tuple<int, int> address(const EvaluationRecord& record) {
  return {record.step, record.slot};
}

std::vector<JournalEntry> load(const Reader& reader, Id trajectory) {
  auto evaluations = load_evaluations(reader.database(), trajectory);
  std::vector<JournalEntry> entries;
  auto next = evaluations.begin();
  SQLite::Statement asks(reader.database(), std::string("SELECT ") + ask_columns +
                                                ", language, source FROM asks LEFT JOIN candidates ON"
                                                " candidates.hash = asks.candidate"
                                                " WHERE trajectory = ? ORDER BY step, slot");
  asks.bind(1, trajectory);
  while (asks.executeStep()) {
    Columns columns(asks);
    AskEntry entry;
    std::vector<Hash> parents;
    entry.record = read_ask(columns, parents);
    entry.candidate = read_candidate(columns, entry.record.candidate, std::move(parents));
    const auto here = address(entry);
    for (; next != evaluations.end() && address(*next) < here; ++next) entries.emplace_back(std::move(*next));
    entries.emplace_back(std::move(entry));
  }
  for (; next != evaluations.end(); ++next) entries.emplace_back(std::move(*next));
  return entries;
}

}  // namespace

std::vector<JournalEntry> load_journal(const Reader& reader, Id trajectory) {
  return guarded(reader.database(), [&] { return load(reader, trajectory); });
}

std::vector<EffectEvent> load_effect_events(const Reader& reader, Id trajectory) {
  return guarded(reader.database(), [&] {
    SQLite::Statement rows(reader.database(),
                           std::string("SELECT ") + effect_event_columns +
                               " FROM effect_events WHERE trajectory = ? ORDER BY ordinal");
    rows.bind(1, trajectory);
    std::vector<EffectEvent> events;
    while (rows.executeStep()) {
      Columns columns(rows);
      events.push_back(read_effect_event(columns));
    }
    return events;
  });
}

}  // namespace ridgeline::store
