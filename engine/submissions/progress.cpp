#include "engine/submissions/progress.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>

#include "engine/core/error.hpp"

namespace ridgeline::submissions {

Progress::Progress(const std::filesystem::path& folder) : path_(folder / "progress.jsonl") {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  lock_.reset(::open((folder / ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644));
  if (!lock_)
    throw MachineCannot(folder.string() + ": cannot be written: " + std::strerror(errno) +
                        "; give --out a folder that can");
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
    throw BadInput(folder.string() + ": another run writes there; wait for it, or give --out another folder");
  std::size_t whole = 0;  // bytes of whole lines
  {
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      const auto document = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
      if (file.eof() || !document.is_object() || !document.contains("key") || !document["key"].is_string() ||
          !document.contains("result"))
        break;
      results_[document["key"]] = document["result"];
      whole += line.size() + 1;
    }
  }
  if (std::filesystem::exists(path_)) std::filesystem::resize_file(path_, whole);
  earlier_ = results_.size();
  file_.open(path_, std::ios::app);
  if (!file_) throw MachineCannot(path_.string() + ": cannot be written");
}

std::optional<nlohmann::json> Progress::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = results_.find(key);
  if (found == results_.end()) return std::nullopt;
  return std::optional<nlohmann::json>(std::in_place, found->second);
}

void Progress::keep(const std::string& key, const nlohmann::json& result) {
  const std::lock_guard lock(mutex_);
  results_[key] = result;
  const nlohmann::json line{{"key", key}, {"result", result}};
  file_ << line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) << '\n' << std::flush;
  if (!file_) throw MachineCannot(path_.string() + ": cannot be written: is the disk full?");
}

}  // namespace ridgeline::submissions
