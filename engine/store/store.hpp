// A store: one SQLite file in WAL mode that holds campaigns, their journals and all that was measured.
//
// One process at a time may open it for writing (a lock on `<path>.lock`, released by the kernel when the
// process dies in whatever way); any number may read meanwhile. Acknowledged means committed with
// synchronous=FULL: it survives `kill -9` and loss of power. docs/store-schema.md describes the tables.
//
// Order of use: Store::open, then one Writer (writer.hpp) and any number of Readers (reader.hpp), which must
// not outlive the Store. A Store may be used from any thread; it holds no connection itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace SQLite {
class Database;
}

namespace ridgeline::store {

class WriterLock;

enum class OpenMode {
  create_or_resume,  ///< makes the file and its folder if missing, converts a store of the version before,
                     ///< takes the writer's lock
  read_only          ///< the file must exist; one of the version before is converted first
};

/// Ports to the outside; tests replace them.
struct OpenOptions {
  /// `f_type` of statfs(2) for an existing folder.
  std::function<std::int64_t(const std::string& folder)> file_system_type;
  /// Upper bound of the file in pages of 4096 bytes, 0 for none: past it the disk counts as full.
  std::int64_t max_pages = 0;
};

class Store {
 public:
  /// Throws BadInput if the file is missing or empty (read_only), is not a store of Ridgeline, has a schema
  /// that is newer or too old, or another process writes it; nothing is then written, not even a lock's file.
  /// Throws MachineCannot if the file system cannot hold a WAL, it is damaged, or the folder or disk does not
  /// let us write.
  static Store open(const std::string& path, OpenMode mode, OpenOptions options = {});
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  const std::string& path() const { return path_; }
  OpenMode mode() const { return mode_; }

  /// Another one after every commit, from what the file system says of the file and its log: nothing is
  /// opened, and no lock is taken. nullopt within a tenth of a second of a write, when the next commit may
  /// not show yet.
  std::optional<std::string> mark() const;

  /// A new connection for the calling thread's use: read-only.
  std::unique_ptr<SQLite::Database> connect_to_read() const;
  /// The writing connection, for Writer alone; throws MachineCannot on a store opened read_only.
  std::unique_ptr<SQLite::Database> connect_to_write() const;

 private:
  Store(std::string path, OpenMode mode, std::unique_ptr<WriterLock> lock, std::int64_t max_pages,
        bool immutable);

  std::string path_;
  OpenMode mode_;
  std::unique_ptr<WriterLock> lock_;
  std::int64_t max_pages_ = 0;
  bool immutable_ = false;  ///< nobody can write it: read without shared memory
};

}  // namespace ridgeline::store
