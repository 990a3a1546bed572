#include "engine/worker/protocol/mailbox.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fmt/core.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/hash.hpp"

namespace ridgeline::protocol {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot(const char* what, const fs::path& path, int error) {
  throw MachineCannot(fmt::format("mailbox: cannot {} {}: {}. Is the folder writable, and is there room?",
                                  what, path.string(), std::strerror(error)));
}

/// Writes and syncs a new file.
void write_file(const fs::path& path, const std::vector<std::string>& lines) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) cannot("create", path, errno);
  for (const auto& line : lines) {
    for (std::size_t done = 0; done < line.size();) {
      const ssize_t wrote = ::write(fd, line.data() + done, line.size() - done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) {
        const int error = errno;
        ::close(fd);
        ::unlink(path.c_str());
        cannot("write", path, error);
      }
      done += static_cast<std::size_t>(wrote);
    }
  }
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

MailboxFolders open_mailbox(const fs::path& folder) {
  MailboxFolders folders{folder / "outbox", folder / "inbox"};
  for (const auto& path : {folders.outbox, folders.inbox}) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) cannot("make the folder", path, error.value());
  }
  return folders;
}

std::string mailbox_id(const Hash& task, const Hash& candidate, const EvaluateSettings& settings) {
  auto told = encode(ToWorker{Evaluate{"", {}, {}, settings}}).at("settings");
  if (told.at("torch_compile").is_null()) told.erase("torch_compile");  // ids from before it was there stay
  return sha256_of({task, candidate, told.dump()});
}

void LineFolder::read_new(const Visit& visit) {
  std::set<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const auto name = entry.path().filename().string();
    if (name.ends_with(".jsonl") && !name.starts_with(".")) names.insert(name);
  }
  for (const auto& name : names) {
    auto& seen = seen_[name];
    const auto size = fs::file_size(folder_ / name, error);
    if (error || size == seen.bytes) continue;
    if (size < seen.bytes) seen = {};  // another file under the same name
    std::ifstream file(folder_ / name, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(seen.bytes));
    for (std::string line; std::getline(file, line) && !file.eof();) {
      seen.bytes += line.size() + 1;
      ++seen.lines;
      if (line.find_first_not_of(" \t\r") != std::string::npos)
        visit(line, fmt::format("{}:{}", name, seen.lines));
    }
  }
}

fs::path write_numbered(const fs::path& folder, std::string_view stem,
                        const std::vector<std::string>& lines) {
  const fs::path draft = folder / fmt::format(".{}-{}.draft", stem, ::getpid());
  write_file(draft, lines);
  for (int number = 1;; ++number) {
    const fs::path path = folder / fmt::format("{}-{:03}.jsonl", stem, number);
    if (::link(draft.c_str(), path.c_str()) == 0) {  // fails where the name is taken, as a rename would not
      ::unlink(draft.c_str());
      return path;
    }
    const int error = errno;
    if (error == EEXIST) continue;
    if (fs::exists(path)) continue;
    if (::rename(draft.c_str(), path.c_str()) == 0) return path;  // a file system without hard links
    ::unlink(draft.c_str());
    cannot("name", path, error);
  }
}

}  // namespace ridgeline::protocol
