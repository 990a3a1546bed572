#include "llm_clients/batch_journal.hpp"

#include <algorithm>
#include <tuple>

#include "engine/core/error.hpp"
#include "llm_clients/atomic_file.hpp"

namespace ridgeline::llm {
namespace {

// OpenAI deletes output files after 30 days by default, Anthropic results after 29.
constexpr auto kResultsAreKept = std::chrono::days(30);

}  // namespace

std::filesystem::path BatchJournal::file_of(const BatchRecord& record) const {
  return folder_ / (record.key + ".json");
}

std::vector<BatchRecord> BatchJournal::read(Provider provider, const std::string& endpoint,
                                            std::chrono::system_clock::time_point now) const {
  std::vector<BatchRecord> records;
  std::error_code error;
  if (!keeps() || !std::filesystem::exists(folder_, error)) return records;
  std::filesystem::directory_iterator entries(folder_, error);
  if (error) throw MachineCannot("cannot read the batches in " + folder_.string() + ": " + error.message());
  for (const auto& entry : entries) {
    const auto& file = entry.path();
    // Hidden files are half-written ones of write_atomically.
    if (file.extension() != ".json" || file.filename().string().starts_with('.')) continue;
    const auto line = read_if_exists(file);
    // Another process may have removed it since it was listed.
    if (!line) continue;
    auto record = batch_record_of(*line, file.string());
    // Several model entries share the folder; each client reads its own batches.
    if (record.provider != provider || record.endpoint != endpoint) continue;
    if (now - record.created > kResultsAreKept)
      remove(record);
    else
      records.push_back(std::move(record));
  }
  std::ranges::sort(records, [](const auto& a, const auto& b) {
    return std::tie(a.created, a.key) < std::tie(b.created, b.key);
  });
  return records;
}

void BatchJournal::write(const BatchRecord& record) const {
  if (!keeps()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw MachineCannot("cannot make the folder " + folder_.string() + ": " + error.message());
  write_atomically(file_of(record), line_of(record) + '\n');
}

void BatchJournal::remove(const BatchRecord& record) const noexcept {
  std::error_code ignored;  // a file that stays does no harm: its requests do not come again
  if (keeps()) std::filesystem::remove(file_of(record), ignored);
}

}  // namespace ridgeline::llm
