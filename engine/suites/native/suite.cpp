#include "engine/suites/native/suite.hpp"

#include <fmt/format.h>

#include <utility>

#include "benchmark_tasks/script_places.hpp"
#include "engine/core/codec.hpp"
#include "engine/suites/native/proof_report.hpp"
#include "engine/suites/native/settings.hpp"

namespace ridgeline::suites::native {
namespace {

namespace fs = std::filesystem;
using benchmark_tasks::TaskFilter;
using nlohmann::json;

const Profile& native_profile() {
  static const Profile profile{
      .name = "native",
      .title = "Ridgeline",
      .location = "a folder of task files",
      .form = Form::kernel,
      .language = Language::cpp,
      .baselines = {Baseline::libtorch},
      .rule = {},
      .options = {},
  };
  return profile;
}

/// Returns the first sentence, cut to fit a terminal beside the other columns.
std::string in_brief(const std::string& description) {
  constexpr std::size_t longest = 64;
  auto text = description.substr(0, description.find_first_of(".;\n"));
  if (text.size() <= longest) return text;
  return text.substr(0, text.rfind(' ', longest)) + " ...";
}

class NativeSuite final : public Suite {
 public:
  /// `suite` is the folder's tasks if they have been read already, else null.
  NativeSuite(fs::path folder, TaskFilter filter, std::shared_ptr<const benchmark_tasks::Suite> suite)
      : folder_(std::move(folder)), filter_(std::move(filter)), suite_(std::move(suite)) {}

  const Profile& profile() const override { return native_profile(); }
  Proof proof() const override { return folder_.empty() ? Proof::shipped : Proof::worker; }

  std::vector<ListedTask> list() override {
    std::vector<ListedTask> listed;
    for (const auto* task : benchmark_tasks::select(*loaded(), filter_))
      listed.push_back(
          {task->name, task->name, task->category, benchmark_tasks::file_of(*loaded(), task->name)});
    return listed;
  }

  Listing listing() override {
    const auto tasks = benchmark_tasks::select(*loaded(), filter_);
    Listing listing{.suite = loaded()->name,
                    .header = {"task", "category", "difficulty", "description"},
                    .rows = {},
                    .footer = fmt::format("{} tasks in {}", tasks.size(), loaded()->root.string())};
    for (const auto* task : tasks) {
      listing.rows.push_back(
          {task->name, task->category, std::to_string(task->difficulty), in_brief(task->description)});
      listing.documents.push_back({{"name", task->name},
                                   {"category", task->category},
                                   {"difficulty", task->difficulty},
                                   {"description", task->description},
                                   {"hash", task->hash}});
    }
    return listing;
  }

  Shown show(const std::string& name) override { return benchmark_tasks::resolve_task(*loaded(), name); }

  ListedTask find(const std::string& name) override {
    const auto task = benchmark_tasks::resolve_task(*loaded(), name);
    return {task.name, task.name, task.category, benchmark_tasks::file_of(*loaded(), name)};
  }

  /// Reads a task file outside the suite anew each time, so that an edit counts at once. A task of the suite
  /// shares its owner, which no caller's copy of thousands has to hold.
  std::shared_ptr<const Task> describe(const std::string& name, std::string_view backend) override {
    const auto suite = loaded();
    const auto* task = suite->find(name);
    if (backend.empty() && task) return {suite, task};
    auto resolved = task ? *task : benchmark_tasks::resolve_task(*suite, name);
    if (!backend.empty()) resolved = on_backend(std::move(resolved), backend);
    return std::make_shared<const Task>(std::move(resolved));
  }

  CheckSummary check(const std::vector<std::string>& names, const Prove& prove,
                     const OnCheck& hear) override {
    std::vector<Task> tasks;
    std::vector<fs::path> files;
    for (const auto& name : names.empty() ? loaded()->names() : names) {
      tasks.push_back(*describe(name, "cpu"));  // where tasks are proven
      files.push_back(benchmark_tasks::file_of(*loaded(), name));
    }
    ProofReport report(tasks, std::move(files));
    prove(tasks, [&](const Task& task, const ProofOutcome& outcome) { hear(report.take(task, outcome)); });
    return report.summary();
  }

  std::string placed(const std::string& name, const std::string& complaint) override {
    return benchmark_tasks::placed(complaint, benchmark_tasks::file_of(*loaded(), name));
  }

 private:
  /// Reads the folder at the first use, since a campaign that is refused early needs no task.
  std::shared_ptr<const benchmark_tasks::Suite> loaded() {
    if (!suite_)
      suite_ =
          std::make_shared<const benchmark_tasks::Suite>(benchmark_tasks::load_native(folder_of(folder_)));
    return suite_;
  }

  fs::path folder_;
  TaskFilter filter_;
  std::shared_ptr<const benchmark_tasks::Suite> suite_;
};

class NativeKind final : public SuiteKind {
 public:
  const Profile& profile() const override { return native_profile(); }

  std::unique_ptr<Suite> open(const std::string& location, const OptionValues&) const override {
    return open_folder(location, {});
  }

  std::unique_ptr<Suite> read(yaml::MapReader map) const override {
    auto settings = read_settings(std::move(map));
    // Reading the settings has read the tasks, to check the filter: they are not read again.
    return std::make_unique<NativeSuite>(std::move(settings.folder), std::move(settings.filter),
                                         std::move(settings.suite));
  }
};

}  // namespace

std::unique_ptr<Suite> open_folder(const fs::path& folder, TaskFilter filter) {
  return std::make_unique<NativeSuite>(folder, std::move(filter), nullptr);
}

const SuiteKind& kind() {
  static const NativeKind native;
  return native;
}

}  // namespace ridgeline::suites::native
