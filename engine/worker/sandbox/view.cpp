#include "engine/worker/sandbox/view.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "engine/core/error.hpp"

namespace ridgeline::sandbox {
namespace {

namespace fs = std::filesystem;

/// How a path is bound; several rules for one path add up.
struct Bind {
  bool writable = false;
  bool device = false;
  bool folder = false;
};

/// Collects the binds and links of a policy.
class Planner {
 public:
  void add(const PathRule& rule) {
    const auto canonical = follow(rule.path);
    if (!canonical) {
      if (rule.optional) return;
      throw BadInput("sandbox path " + rule.path + " does not exist or is not absolute");
    }
    Bind& bind = binds_[canonical->string()];
    bind.writable |= rule.use == PathUse::write;
    bind.device |= rule.device;
    bind.folder = fs::is_directory(*canonical);
  }

  std::vector<ViewStep> steps() const {
    std::vector<ViewStep> steps;
    std::set<std::string> made = {"/"};
    for (const auto& [link, text] : links_) {
      if (bound_above(link)) continue;  // the bound folder contains it
      make_parents(link, made, steps);
      steps.push_back({ViewStep::Kind::symlink, link, text});
    }
    for (const auto& [path, bind] : binds_) {
      // Inside a folder that is bound already the mount point exists; making it would make it on the host.
      if (!bound_above(path)) {
        make_parents(path, made, steps);
        const auto kind = bind.folder ? ViewStep::Kind::folder : ViewStep::Kind::empty_file;
        if (made.insert(path).second) steps.push_back({kind, path, {}});
      }
      steps.push_back({ViewStep::Kind::bind, path, kOldRoot + path, !bind.writable, bind.device});
    }
    return steps;
  }

 private:
  /// Resolves `path` as the kernel would, and records each symbolic link on the way.
  std::optional<fs::path> follow(const fs::path& path) {
    if (!path.is_absolute()) return std::nullopt;
    fs::path rest = path.lexically_normal();
    // The kernel follows 40 links too.
    for (int hops = 0; hops < 40; ++hops) {
      fs::path walked = "/";
      bool again = false;
      for (auto part = std::next(rest.begin()); part != rest.end() && !again; ++part) {
        if (part->empty()) continue;
        walked /= *part;
        std::error_code error;
        const auto status = fs::symlink_status(walked, error);
        if (error || !fs::exists(status)) return std::nullopt;
        if (!fs::is_symlink(status)) continue;
        const fs::path text = fs::read_symlink(walked, error);
        if (error) return std::nullopt;
        links_[walked.string()] = text.string();
        fs::path next = text.is_absolute() ? text : walked.parent_path() / text;
        for (auto tail = std::next(part); tail != rest.end(); ++tail) next /= *tail;
        rest = next.lexically_normal();
        again = true;
      }
      if (!again) return walked;
    }
    return std::nullopt;
  }

  bool bound_above(const fs::path& path) const {
    for (fs::path up = path.parent_path(); up != up.root_path(); up = up.parent_path())
      if (binds_.contains(up.string())) return true;
    return binds_.contains("/") && path != "/";
  }

  static void make_parents(const fs::path& path, std::set<std::string>& made, std::vector<ViewStep>& steps) {
    fs::path walked = "/";
    for (const auto& part : path.parent_path().relative_path()) {
      walked /= part;
      if (made.insert(walked.string()).second) steps.push_back({ViewStep::Kind::folder, walked.string(), {}});
    }
  }

  std::map<std::string, Bind> binds_;  // by canonical path; '/' sorts before what lies below
  std::map<std::string, std::string> links_;
};

}  // namespace

std::vector<ViewStep> plan_view(const Policy& policy) {
  Planner planner;
  for (const auto& rule : policy.paths) planner.add(rule);
  return planner.steps();
}

}  // namespace ridgeline::sandbox
