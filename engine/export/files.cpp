#include "engine/export/files.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/export/card.hpp"
#include "engine/export/formats.hpp"
#include "engine/export/parquet.hpp"

namespace ridgeline::exporting {
namespace {

namespace fs = std::filesystem;

void rename_file(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) throw MachineCannot(to + ": cannot be replaced (" + error.message() + "); name another place");
}

/// A file of lines that appears under its name only once it is whole, and leaves nothing behind otherwise.
class LineFile {
 public:
  LineFile(std::string path, FileKind kind) : path_(std::move(path)), kind_(kind) {
    file_.open(part(), std::ios::binary | std::ios::trunc);
    if (!file_) throw MachineCannot(path_ + ": cannot be written; name a place that lets you");
    if (kind_ == FileKind::json) file_ << "[";
  }
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;
  ~LineFile() {
    std::error_code ignored;
    fs::remove(part(), ignored);
    fs::remove(whole(), ignored);
  }

  void add(const std::string& line) {
    if (kind_ == FileKind::json)
      file_ << (empty_ ? "\n" : ",\n") << line;
    else
      file_ << line << '\n';
    empty_ = false;
  }
  /// Writes everything, still under another name.
  void finish(const nlohmann::json& schema) {
    if (kind_ == FileKind::json) file_ << "\n]\n";
    file_.close();  // flushes: a full disk shows here
    if (!file_) throw MachineCannot(path_ + ": could not be written whole; is the disk full?");
    if (kind_ == FileKind::parquet)
      to_parquet(schema, part(), whole());
    else
      rename_file(part(), whole());
  }
  void appear() { rename_file(whole(), path_); }

 private:
  std::string part() const { return path_ + ".part"; }
  std::string whole() const { return path_ + ".whole"; }

  std::string path_;
  FileKind kind_;
  std::ofstream file_;
  bool empty_ = true;
};

std::string file_of(Split split, FileKind kind) {
  return std::string(to_string(split)) + "." + std::string(to_string(kind));
}

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path + ".part", std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) throw MachineCannot(path + ": could not be written whole; is the disk full?");
  rename_file(path + ".part", path);
}

/// Whether an earlier export wrote the folder. Throws BadInput if its README.md is somebody else's.
bool is_ours(const std::string& folder) {
  const auto path = folder + "/README.md";
  if (!fs::exists(path)) return false;
  if (is_card(text_of_file(path))) return true;
  throw BadInput(folder +
                 " holds a README.md that no export wrote, and an export writes one; name another "
                 "folder");
}

/// Removes the files of an earlier export that this one did not write.
void remove_others(const std::string& folder, const std::map<Split, std::string>& written) {
  for (const auto& split : enum_names(Split{}))
    for (const auto& kind : enum_names(FileKind{})) {
      const auto name = file_of(split.value, kind.value);
      const auto kept = written.find(split.value);
      if (kept == written.end() || kept->second != name) fs::remove(folder + "/" + name);
    }
  fs::remove(folder + "/dataset_info.json");
}

}  // namespace

std::optional<FileKind> file_kind_of(const std::string& path) {
  for (const auto& entry : enum_names(FileKind{}))
    if (path.ends_with("." + std::string(entry.name))) return entry.value;
  for (const auto* ending : {".csv", ".txt", ".arrow", ".gz", ".zst", ".zip", ".db", ".yaml"})
    if (path.ends_with(ending))
      throw BadInput(path + ": a file ends with .jsonl, .json or .parquet; anything else is a folder");
  return std::nullopt;
}

ExportReport export_to_file(const store::Reader& reader, const ExportOptions& options,
                            const std::string& path, FileKind kind) {
  LineFile file(path, kind);
  auto report = export_store(reader, options, [&](Split, const std::string& line) { file.add(line); });
  file.finish(schema_of(options));
  file.appear();
  return report;
}

ExportReport export_to_folder(const store::Reader& reader, const ExportOptions& options,
                              const std::string& folder, FileKind kind) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw MachineCannot("cannot make the folder " + folder + ": " + error.message());
  const bool again = is_ours(folder);
  std::map<Split, LineFile> files;
  auto report = export_store(reader, options, [&](Split split, const std::string& line) {
    files.try_emplace(split, folder + "/" + file_of(split, kind), kind).first->second.add(line);
  });
  std::map<Split, std::string> names;
  for (auto& [split, file] : files) {
    file.finish(schema_of(options));
    names[split] = file_of(split, kind);
  }
  for (auto& [split, file] : files) file.appear();
  write_text(folder + "/README.md", card(options, report, names));
  if (again) remove_others(folder, names);
  const auto info = dataset_info(options.format, names);
  if (!info.is_null()) write_text(folder + "/dataset_info.json", info.dump(2) + "\n");
  return report;
}

}  // namespace ridgeline::exporting
