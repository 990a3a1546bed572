#include "engine/suites/kernelbenchx/suite.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "engine/core/error.hpp"
#include "engine/suites/kernelbenchx/check_report.hpp"
#include "engine/suites/kernelbenchx/clone.hpp"
#include "engine/suites/kernelbenchx/examine.hpp"
#include "engine/suites/kernelbenchx/settings.hpp"
#include "engine/suites/modules/oracle_settings.hpp"

namespace ridgeline::suites::kernelbenchx {
namespace {

const Profile& kernelbenchx_profile() {
  static const Profile profile{
      .name = "kernelbenchx",
      .title = "KernelBench-X",
      .location = "a clone of KernelBench-X",
      .form = Form::module,
      .language = Language::triton,
      .baselines = {Baseline::eager, Baseline::torch_compile},
      .rule = std::nullopt,
      .options = command_options(),
  };
  return profile;
}

ListedTask listed_task(const TaskFile& task) {
  return {task.full_name(), task.identifier(), task.category, task.path};
}

class FunctionSuite final : public Suite {
 public:
  explicit FunctionSuite(Settings settings)
      : settings_(std::move(settings)),
        clone_(open_clone(settings_.folder)),
        chosen_(select(clone_, settings_.tasks)),
        support_(read_support(clone_)) {}

  const Profile& profile() const override { return kernelbenchx_profile(); }
  Proof proof() const override { return Proof::suite; }
  bool only_describes() const override { return !settings_.check; }

  std::vector<ListedTask> list() override {
    std::vector<ListedTask> tasks;
    for (const auto& task : chosen_) tasks.push_back(listed_task(task));
    return tasks;
  }

  Listing listing() override { return listing_of(kernelbenchx_profile().name, chosen_, clone_.root); }

  Shown show(const std::string& name) override {
    std::vector<SourceFile> files;
    for (const auto& task : select(clone_, {name})) {
      auto text = text_of_file(task);
      auto document = task_document(task);
      document["text"] = text;
      files.push_back({task.path, std::move(text), std::move(document)});
    }
    return files;
  }

  ListedTask find(const std::string& name) override { return listed_task(single_task(name)); }

  void begin() override { oracle("cpu").begin(); }

  std::shared_ptr<const Task> describe(const std::string& name, std::string_view backend) override {
    // A trainer asks for one task thousands of times, and a description takes half a second.
    auto& task = described_[{name, std::string(backend)}];
    if (!task) task = std::make_shared<const Task>(described_task(single_task(name), backend));
    return task;
  }

  std::string text(const ListedTask& task) override { return text_of_file(single_task(task.file)); }

  void end_processes() override { oracle_.reset(); }

  Finding examine(const ListedTask& listed, const std::string&, const Examination& where) override {
    const auto task = single_task(listed.file);
    const auto examined =
        examine_file(oracle(where.device), task, support_, {settings_.check, settings_.timeout});
    auto found = examined.decision.assessment();
    Finding finding{found.standing, std::move(found.reason), std::move(found.notes), std::nullopt};
    if (found.standing == Standing::ok && !settings_.check) finding.standing = Standing::unchecked;
    if (examined.harvest) finding.task = make_task(task, examined, where.backend);
    return finding;
  }

  CheckSummary check(const std::vector<std::string>& names, const Prove&, const OnCheck& hear) override {
    const auto tasks = names.empty() ? chosen_ : select(clone_, names);
    auto& process = oracle(settings_.device);
    CheckCounts counts;
    for (const auto& task : tasks) {
      const auto examined = examine_file(process, task, support_, {true, settings_.timeout});
      hear({checked_text(task, examined), checked_document(task, examined), tasks.size()});
      counts.add(task, examined);
    }
    return counts.summary();
  }

 private:
  TaskFile single_task(const std::string& name) const {
    auto matches = select(clone_, {name});
    if (matches.size() == 1) return std::move(matches.front());
    throw BadInput(fmt::format("'{}' means {} tasks of kernelbenchx:{}, {} and {} among them; name one", name,
                               matches.size(), clone_.root.string(), matches[0].full_name(),
                               matches[1].full_name()));
  }

  Task described_task(const TaskFile& task, std::string_view backend) {
    const auto examined = examine_file(oracle("cpu"), task, support_, {false, settings_.timeout});
    if (!examined.harvest)
      throw BadInput(
          fmt::format("{}: cannot be judged: {}", task.path.string(), examined.decision.assessment().reason));
    return make_task(task, examined, backend);
  }

  /// Keeps one process for all requests to a device, since starting one takes seconds.
  oracle::OracleProcess& oracle(const std::string& device) {
    if (!oracle_ || oracle_device_ != device) oracle_.emplace(modules::oracle_settings(device));
    oracle_device_ = device;
    return *oracle_;
  }

  Settings settings_;
  Clone clone_;
  std::vector<TaskFile> chosen_;
  Support support_;
  std::optional<oracle::OracleProcess> oracle_;
  std::string oracle_device_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const Task>> described_;  // name, backend
};

class FunctionKind final : public SuiteKind {
 public:
  const Profile& profile() const override { return kernelbenchx_profile(); }

  std::unique_ptr<Suite> open(const std::string& location, const OptionValues& options) const override {
    return std::make_unique<FunctionSuite>(settings_from(location, options));
  }

  std::unique_ptr<Suite> read(yaml::MapReader map) const override {
    return std::make_unique<FunctionSuite>(read_settings(std::move(map)));
  }
};

}  // namespace

const SuiteKind& kind() {
  static const FunctionKind functions;
  return functions;
}

}  // namespace ridgeline::suites::kernelbenchx
