#include "engine/store/store.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include "engine/core/error.hpp"
#include "engine/store/convert/version_11.hpp"
#include "engine/store/file_header.hpp"
#include "engine/store/file_system.hpp"
#include "engine/store/schema.hpp"
#include "engine/store/sqlite_errors.hpp"
#include "engine/store/writer_lock.hpp"

namespace ridgeline::store {
namespace {

namespace fs = std::filesystem;

// Connections are opened without SQLite's own mutexes: each belongs to one thread at a time.
constexpr int busy_milliseconds = 10'000;  ///< a reader may have to wait while another one recovers the log

std::string folder_of(const std::string& path) {
  const auto folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

bool has_log(const std::string& path) {
  std::error_code ignored;
  const auto size = fs::file_size(path + "-wal", ignored);
  return !ignored && size > 0;
}

/// A `file:` address of SQLite with what is special in it escaped.
std::string immutable_address(const std::string& path) {
  std::string address = "file:";
  for (const char c : path) {
    if (c == '%')
      address += "%25";
    else if (c == '?')
      address += "%3f";
    else if (c == '#')
      address += "%23";
    else
      address += c;
  }
  return address + "?immutable=1";
}

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error == std::errc::not_a_directory || error == std::errc::filename_too_long)
    throw BadInput("the store cannot lie in " + folder + ": " + error.message() +
                   ". Name another one with --store");
  if (error)
    throw MachineCannot("cannot make the folder " + folder + " for the store: " + error.message() +
                        ". Name a store in a folder that you may write to with --store");
}

std::string advice_for(std::string_view system, const std::string& path) {
  return path + " lies on " + std::string(system) +
         ", where SQLite's write-ahead log is not safe: put the store on a disk of this machine";
}

/// Damage is looked for where a crash may have left it; a file that was closed in order is taken as it is.
void check(const SQLite::Database& database, const std::string& path) {
  SQLite::Statement query(database, "PRAGMA quick_check(1)");
  const std::string said = query.executeStep() ? query.getColumn(0).getString() : "nothing";
  if (said != "ok")
    throw MachineCannot(path + " is damaged (" + said +
                        "): restore a copy, or save what can be read with `sqlite3 " + path +
                        " .recover | sqlite3 rescued.db`");
}

std::unique_ptr<SQLite::Database> open_to_write(const std::string& path, std::int64_t max_pages) {
  auto database = std::make_unique<SQLite::Database>(
      path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX, busy_milliseconds);
  version_of(*database, path);  // before the first pragma that would write to somebody else's file
  if (max_pages > 0) database->exec("PRAGMA max_page_count = " + std::to_string(max_pages));
  database->exec("PRAGMA journal_mode = WAL");
  database->exec("PRAGMA synchronous = FULL");
  database->exec("PRAGMA foreign_keys = ON");
  database->exec("PRAGMA temp_store = MEMORY");
  database->exec("PRAGMA cache_size = -32768");  // KiB
  return database;
}

void bring_up_to_date(SQLite::Database& database, const std::string& path) {
  const int version = version_of(database, path);
  if (version == 0) create_schema(database);
  if (version == convertible_version) convert_version_11(database, path);
}

}  // namespace

Store::Store(std::string path, OpenMode mode, std::unique_ptr<WriterLock> lock, std::int64_t max_pages,
             bool immutable)
    : path_(std::move(path)),
      mode_(mode),
      lock_(std::move(lock)),
      max_pages_(max_pages),
      immutable_(immutable) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::open(const std::string& path, OpenMode mode, OpenOptions options) {
  const auto type_of = options.file_system_type ? options.file_system_type : file_system_type;
  const auto folder = folder_of(path);
  must_be_a_store(path);

  if (mode == OpenMode::create_or_resume) {
    make_folder(folder);
    if (const auto system = network_file_system(type_of(folder)))
      throw MachineCannot(advice_for(*system, path));
    auto lock = std::make_unique<WriterLock>(path);
    const bool after_a_crash = has_log(path);
    try {
      const auto database = open_to_write(path, options.max_pages);
      if (after_a_crash) check(*database, path);
      bring_up_to_date(*database, path);
    } catch (const SQLite::Exception& error) {
      raise(error, path);
    }
    return Store(path, mode, std::move(lock), options.max_pages, false);
  }

  std::error_code ignored;
  if (!fs::exists(path, ignored))
    throw BadInput("there is no store at " + path + ": `ridgeline run CONFIG` makes one");
  if (fs::file_size(path, ignored) == 0 && !has_log(path))
    throw BadInput(path + " is an empty file, and no store: name another one");
  const auto system = network_file_system(type_of(folder));
  if (system && has_log(path)) throw MachineCannot(advice_for(*system, path) + ", with its -wal file");
  const bool immutable = (system || access(folder.c_str(), W_OK) != 0) && !has_log(path);
  Store store(path, mode, nullptr, 0, immutable);
  try {
    const auto database = store.connect_to_read();
    if (version_of(*database, path) == schema_version) return store;
  } catch (const SQLite::Exception& error) {
    raise(error, path);
  }
  if (immutable)
    throw MachineCannot(path +
                        " has an older schema and cannot be written here: copy it to a folder that you may "
                        "write to and open the copy");
  open(path, OpenMode::create_or_resume, std::move(options));  // converts it
  return store;
}

std::optional<std::string> Store::mark() const {
  using std::chrono::nanoseconds;
  constexpr nanoseconds settled = std::chrono::milliseconds(100);  // file times are a few milliseconds coarse
  const nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
  std::string mark;
  for (const auto& path : {path_, path_ + "-wal"}) {
    struct stat facts{};
    // A reader may leave an empty log behind: the same as none.
    if (::stat(path.c_str(), &facts) != 0 || facts.st_size == 0) continue;
    const nanoseconds written =
        std::chrono::seconds(facts.st_mtim.tv_sec) + nanoseconds(facts.st_mtim.tv_nsec);
    if (now - written < settled) return std::nullopt;
    mark += fmt::format("{}{:x}-{:x}-{:x}", mark.empty() ? "" : "-", facts.st_ino, facts.st_size,
                        written.count());
  }
  return mark;
}

std::unique_ptr<SQLite::Database> Store::connect_to_read() const {
  try {
    if (immutable_)
      return std::make_unique<SQLite::Database>(
          immutable_address(path_), SQLite::OPEN_READONLY | SQLite::OPEN_URI | SQLite::OPEN_NOMUTEX,
          busy_milliseconds);
    return std::make_unique<SQLite::Database>(path_, SQLite::OPEN_READONLY | SQLite::OPEN_NOMUTEX,
                                              busy_milliseconds);
  } catch (const SQLite::Exception& error) {
    raise(error, path_);
  }
}

std::unique_ptr<SQLite::Database> Store::connect_to_write() const {
  if (mode_ != OpenMode::create_or_resume) throw MachineCannot(path_ + " was opened for reading only");
  try {
    return open_to_write(path_, max_pages_);
  } catch (const SQLite::Exception& error) {
    raise(error, path_);
  }
}

}  // namespace ridgeline::store
