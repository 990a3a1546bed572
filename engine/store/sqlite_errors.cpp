#include "engine/store/sqlite_errors.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include "engine/core/error.hpp"

namespace ridgeline::store {

Fault fault_of(const SQLite::Exception& error) {
  switch (error.getErrorCode() & 0xff) {
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
      return Fault::rule;
    case SQLITE_FULL:
      return Fault::full;
    case SQLITE_IOERR:
      return Fault::io;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return Fault::denied;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:  // whose header was right (file_header.hpp)
    case SQLITE_SCHEMA:
      return Fault::damaged;
    default:
      return Fault::other;
  }
}

void raise(const SQLite::Exception& error, const std::string& path) {
  const std::string said = std::string(" (SQLite: ") + error.what() + ")";
  switch (fault_of(error)) {
    case Fault::rule:
      throw Error("a record breaks a rule of the store " + path + said);
    case Fault::full:
      throw MachineCannot(
          "no space left for " + path + said +
          ". Everything acknowledged is kept: make room, then run the same command to resume");
    case Fault::io:
      throw MachineCannot(
          "the disk failed while using " + path + said +
          ". Everything acknowledged is kept: check space, quota and the kernel's log, then resume");
    case Fault::denied:
      throw MachineCannot(
          "cannot open or write " + path + said +
          ": the file and its folder must be readable, and writable for `run`; name another store");
    case Fault::damaged:
      throw MachineCannot(path + " is damaged" + said +
                          ": restore a copy, or save what can be read with `sqlite3 " + path +
                          " .recover | sqlite3 rescued.db`");
    case Fault::other:
      break;
  }
  throw MachineCannot("the store " + path + " failed" + said);
}

}  // namespace ridgeline::store
