#include "engine/evaluation/spool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/core/error.hpp"

namespace ridgeline::evaluation {
namespace {

constexpr std::size_t kBlock = std::size_t{256} << 10;  // bytes that are written or read at once
constexpr std::size_t kLength = sizeof(std::uint64_t);

[[noreturn]] void fail(const char* what, const std::filesystem::path& folder) {
  throw MachineCannot(fmt::format(
      "cannot {} the temporary file in {} that holds lines which wait: {}; set TMPDIR to a folder with room",
      what, folder.string(), std::strerror(errno)));
}

}  // namespace

Spool::Spool(std::size_t memory, std::filesystem::path folder)
    : memory_(memory), folder_(std::move(folder)) {}

void Spool::push(std::string record) {
  // Once there are records in the file, new ones follow them there, or the order would be lost.
  if (in_file_ == 0 && memory_used_ + record.size() <= memory_) {
    memory_used_ += record.size();
    in_memory_.push_back(std::move(record));
    return;
  }
  if (!file_) open_file();
  // Before this record is added, so that a failed write leaves it out.
  if (unwritten_.size() >= kBlock) write_out();
  const std::uint64_t length = record.size();
  unwritten_.append(reinterpret_cast<const char*>(&length), kLength).append(record);
  ++in_file_;
}

std::optional<std::string> Spool::pop() {
  if (!in_memory_.empty()) {
    auto record = std::move(in_memory_.front());
    in_memory_.pop_front();
    memory_used_ -= record.size();
    return record;
  }
  if (in_file_ == 0) return std::nullopt;
  std::uint64_t length = 0;
  fill_block(kLength);
  std::memcpy(&length, block_.data() + block_used_, kLength);
  fill_block(kLength + length);
  auto record = block_.substr(block_used_ + kLength, length);
  block_used_ += kLength + length;
  if (--in_file_ == 0) {
    // The blocks grew to the largest record: free them.
    block_ = {};
    unwritten_ = {};
    block_used_ = 0;
  }
  return record;
}

void Spool::open_file() {
  // A file without a name vanishes with the process, even after a kill.
  file_.reset(::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file_) return;
  auto name = (folder_ / "ridgeline-lines-XXXXXX")
                  .string();  // some file systems (NFS, older overlayfs) have no O_TMPFILE
  file_.reset(::mkostemp(name.data(), O_CLOEXEC));
  if (!file_) fail("make", folder_);
  ::unlink(name.c_str());
}

void Spool::write_out() {
  std::size_t done = 0;
  while (done < unwritten_.size()) {
    const ssize_t wrote = ::pwrite(file_.get(), unwritten_.data() + done, unwritten_.size() - done,
                                   static_cast<off_t>(written_ + done));
    if (wrote < 0 && errno != EINTR) fail("write", folder_);
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
  written_ += done;
  unwritten_.clear();
}

void Spool::fill_block(std::size_t bytes) {
  // Reads in blocks of 256 KiB: a record has some kilobytes, and a read for each would cost more than the
  // copy.
  if (block_.size() - block_used_ >= bytes) return;
  block_.erase(0, std::exchange(block_used_, 0));
  while (block_.size() < bytes && read_ < written_) {
    const auto want = std::min<std::uint64_t>(std::max(kBlock, bytes - block_.size()), written_ - read_);
    const auto begin = block_.size();
    block_.resize(begin + want);
    const ssize_t got = ::pread(file_.get(), block_.data() + begin, want, static_cast<off_t>(read_));
    block_.resize(begin + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno != EINTR) fail("read", folder_);
    if (got > 0) read_ += static_cast<std::uint64_t>(got);
  }
  // All of the file is read: empty it, and take the bytes not yet written straight from memory.
  if (read_ < written_) return;
  if (written_ > 0 && ::ftruncate(file_.get(), 0) != 0) fail("empty", folder_);
  read_ = written_ = 0;
  block_ += std::exchange(unwritten_, {});
}

}  // namespace ridgeline::evaluation
