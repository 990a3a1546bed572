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
#include <sstream>

#include "engine/compression/frame.hpp"
#include "engine/core/hash.hpp"

namespace ridgeline::protocol {
namespace {

namespace fs = std::filesystem;

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

[[noreturn]] void cannot(const char* what, const fs::path& path, int error) {
  throw MachineCannot(fmt::format("mailbox: cannot {} {}: {}. Is the folder writable, and is there room?",
                                  what, path.string(), std::strerror(error)));
}

/// Writes a file and syncs it to disk, so that a copy made after the rename is complete even after a power
/// loss.
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
  auto fields = encode(ToWorker{Evaluate{"", {}, {}, settings}}).at("settings");
  if (fields.at("torch_compile").is_null())
    fields.erase("torch_compile");  // so that ids from before this key existed stay valid
  return sha256_of({task, candidate, fields.dump()});
}

std::vector<std::string> LineFolder::read_new(const Visit& visit) {
  std::vector<std::string> problems;
  std::set<std::string> names;
  std::error_code error;
  // An unreadable folder counts as empty: it may be a network share that comes back.
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const auto name = entry.path().filename().string();
    if ((name.ends_with(".jsonl") || name.ends_with(".jsonl.zst")) && !name.starts_with("."))
      names.insert(name);
  }
  for (const auto& name : names) {
    auto& progress = progress_[name];
    const auto size = fs::file_size(folder_ / name, error);
    if (error || size == progress.bytes) continue;
    if (name.ends_with(".zst")) {
      progress.bytes = size;
      try {
        read_compressed(name, visit);
      } catch (const BadInput& problem) {
        problems.push_back(problem.what());
      }
      continue;
    }
    if (size < progress.bytes) progress = {};  // shorter than before, so it is another file
    std::ifstream file(folder_ / name, std::ios::binary);
    // Files only grow, so the lines before were read already.
    file.seekg(static_cast<std::streamoff>(progress.bytes));
    // A line without its end is being written: `eof` leaves it for the next call.
    for (std::string line; std::getline(file, line) && !file.eof();) {
      progress.bytes += line.size() + 1;
      ++progress.lines;
      if (!is_blank(line)) visit(line, fmt::format("{}:{}", name, progress.lines));
    }
  }
  return problems;
}

void LineFolder::read_compressed(const std::string& name, const Visit& visit) const {
  std::istringstream lines(compression::decompressed_file(folder_ / name));
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!is_blank(line)) visit(line, fmt::format("{}:{}", name, number));
  }
}

fs::path write_numbered(const fs::path& folder, std::string_view stem,
                        const std::vector<std::string>& lines) {
  // Hidden, so that readers skip it; with the pid, so that two workers of one mailbox do not share it.
  const fs::path draft = folder / fmt::format(".{}-{}.draft", stem, ::getpid());
  write_file(draft, lines);
  for (int number = 1;; ++number) {
    const fs::path path = folder / fmt::format("{}-{:03}.jsonl", stem, number);
    // Files are read in the order of their names: the compressed older one would win over the new one.
    std::error_code unknown;
    if (fs::exists(path.string() + ".zst", unknown)) continue;
    if (::link(draft.c_str(), path.c_str()) ==
        0) {  // fails if the name is taken; a rename would replace the file
      ::unlink(draft.c_str());
      return path;
    }
    const int error = errno;
    if (error == EEXIST) continue;
    // Some file systems report another error than EEXIST.
    if (fs::exists(path)) continue;
    if (::rename(draft.c_str(), path.c_str()) == 0) return path;  // a file system without hard links
    ::unlink(draft.c_str());
    cannot("name", path, error);
  }
}

}  // namespace ridgeline::protocol
