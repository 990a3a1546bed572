#include "engine/suites/kernelbench/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/core/error.hpp"
#include "engine/oracle/oracle_process.hpp"
#include "engine/suites/kernelbench/clone.hpp"
#include "engine/suites/kernelbench/settings.hpp"
#include "engine/suites/modules/check_posed.hpp"
#include "engine/suites/modules/check_report_text.hpp"
#include "engine/suites/modules/import_task.hpp"
#include "engine/suites/modules/oracle_settings.hpp"

namespace ridgeline::suites::kernelbench {
namespace {

const Profile& kernelbench_profile() {
  static const Profile profile{
      .name = "kernelbench",
      .title = "KernelBench",
      .location = "a clone of KernelBench",
      .form = Form::module,
      .language = Language::torch,
      .baselines = {Baseline::eager, Baseline::torch_compile},
      // The paper's figures: arXiv 2502.10517.
      .rule = ScoringRule{.title = "KernelBench",
                          .group = "level",
                          .headline = 1,
                          .thresholds = {0, 0.5, 0.8, 1, 1.5, 2},
                          .pass_counts = {1, 5, 10}},
      .options = command_options(),
  };
  return profile;
}

/// Returns the name, level, number and path of a file's task, all of which its path says, and how it is
/// posed.
nlohmann::json file_document(const TaskFile& task, const modules::Posing& posing) {
  nlohmann::json document{{"name", task.full_name()},
                          {"level", task.level},
                          {"number", task.number},
                          {"file", task.path.string()}};
  if (posing.cast_to) document["precision"] = to_string(*posing.cast_to);
  if (posing.divisor > 1) document["scale"] = fmt::format("1/{}", posing.divisor);
  return document;
}

class CloneSuite final : public Suite {
 public:
  explicit CloneSuite(Settings settings)
      : settings_(std::move(settings)),
        clone_(open_clone(settings_.folder, settings_.levels)),
        chosen_(files_of(settings_.tasks)) {}

  const Profile& profile() const override { return kernelbench_profile(); }
  Proof proof() const override { return Proof::suite; }
  bool only_describes() const override { return !settings_.check; }

  std::vector<ListedTask> list() override {
    std::vector<ListedTask> tasks;
    for (const auto& file : chosen_) tasks.push_back(listed(file));
    return tasks;
  }

  Listing listing() override {
    Listing listing{.suite = kernelbench_profile().name, .header = {}, .rows = {}, .footer = ""};
    for (const auto& file : chosen_) {
      listing.rows.push_back({file.full_name() + settings_.posing.label_suffix()});
      listing.documents.push_back(file_document(file, settings_.posing));
    }
    return listing;
  }

  Shown show(const std::string& name) override {
    std::vector<SourceFile> files;
    for (const auto& file : files_of({name})) {
      auto source = posed(file).file.text;
      auto document = file_document(file, settings_.posing);
      document["text"] = source;
      files.push_back({file.path, std::move(source), std::move(document)});
    }
    return files;
  }

  ListedTask find(const std::string& name) override { return listed(single_file(name)); }

  void begin() override { oracle("cpu").begin(); }

  std::shared_ptr<const Task> describe(const std::string& name, std::string_view backend) override {
    // A trainer asks for one task thousands of times, and a description takes half a second.
    auto& task = described_[{name, std::string(backend)}];
    if (!task) task = std::make_shared<const Task>(task_of(single_file(name), backend));
    return task;
  }

  std::string text(const ListedTask& task) override { return read_text(file_of(task)).text; }

  void end_processes() override { oracle_.reset(); }

  Finding examine(const ListedTask& task, const std::string& text, const Examination& where) override {
    const auto file = file_of(task);
    // On the device that judges: a task may pass on a CPU and not fit a card.
    auto& process = oracle(where.device);
    auto [posed, report] = modules::check_posed(process, {file.full_name(), text}, settings_.posing,
                                                settings_.timeout, !settings_.check);
    auto imported =
        modules::import_task(names_of(file, posed.scale), std::move(posed.file), report, where.backend);
    auto& assessment = imported.assessment;
    return {assessment.standing, std::move(assessment.reason), std::move(assessment.notes),
            std::move(imported.task)};
  }

  CheckSummary check(const std::vector<std::string>& names, const Prove&, const OnCheck& hear) override {
    const auto files = names.empty() ? chosen_ : files_of(names);
    auto& process = oracle(settings_.device);
    std::map<Standing, int> counts;
    for (const auto& file : files) {
      const auto [posed, report] =
          modules::check_posed(process, read_text(file), settings_.posing, settings_.timeout, false);
      ++counts[report.assessment.standing];
      auto document = file_document(file, settings_.posing);
      if (!posed.scale.empty()) document["scale"] = posed.scale;
      hear({modules::report_text(file.full_name() + settings_.posing.label_suffix(), report),
            modules::report_document(std::move(document), report), files.size()});
    }
    return modules::summary_of(counts);
  }

 private:
  /// Returns the files that names mean, each with or without the label suffix that lists print after it.
  std::vector<TaskFile> files_of(std::vector<std::string> names) const {
    for (auto& name : names) name = without_label_suffix(std::move(name), settings_.posing);
    return select(clone_, names);
  }

  TaskFile single_file(const std::string& name) const {
    auto matches = files_of({name});
    if (matches.size() != 1)
      throw BadInput(fmt::format("'{}' means {} tasks of kernelbench:{}, {} and {} among them; name one",
                                 name, matches.size(), clone_.root.string(), matches[0].full_name(),
                                 matches[1].full_name()));
    return std::move(matches.front());
  }

  /// Returns the file of a task that `list` or `find` returned, whose name may end with a label suffix.
  TaskFile file_of(const ListedTask& task) const {
    const auto found =
        std::ranges::find_if(clone_.tasks, [&](const TaskFile& file) { return file.path == task.path; });
    return found != clone_.tasks.end() ? *found : single_file(task.file);
  }

  ListedTask listed(const TaskFile& file) const {
    const auto names = names_of(file, "");
    return {file.full_name() + settings_.posing.label_suffix(), names.identifier, names.category, file.path};
  }

  modules::TaskNames names_of(const TaskFile& file, std::string scale) const {
    auto names =
        modules::posed({file.full_name(), file.identifier(), fmt::format("level{}", file.level), file.level,
                        fmt::format("KernelBench's {}: what the module Model computes", file.full_name())},
                       settings_.posing);
    names.scale = std::move(scale);
    return names;
  }

  /// The file as it is posed. Only a scale starts the oracle.
  modules::PosedFile posed(const TaskFile& file) {
    auto answer = modules::pose(oracle("cpu"), read_text(file), settings_.posing, settings_.timeout);
    if (const auto* failure = std::get_if<oracle::OracleFailure>(&answer))
      throw BadInput(fmt::format("{}: cannot be posed at a scale of 1/{}: {}", file.path.string(),
                                 settings_.posing.divisor, failure->message));
    return std::get<modules::PosedFile>(std::move(answer));
  }

  Task task_of(const TaskFile& file, std::string_view backend) {
    auto text = posed(file);
    const auto answer = oracle("cpu").describe(text.file, settings_.timeout);
    if (const auto* failure = std::get_if<oracle::OracleFailure>(&answer))
      throw BadInput(fmt::format("{}: cannot be run as a task{}: {}", file.path.string(),
                                 settings_.posing.as_it_is() ? "" : " at" + settings_.posing.label_suffix(),
                                 failure->message));
    return modules::native_task(names_of(file, text.scale), std::move(text.file),
                                std::get<oracle::Description>(answer), backend);
  }

  /// Keeps one process for all requests to a device, since starting one takes seconds.
  oracle::OracleProcess& oracle(const std::string& device) {
    if (!oracle_ || oracle_device_ != device) {
      auto settings = modules::oracle_settings(device);
      if (device == settings_.device) settings.memory_bytes = settings_.device_memory;
      oracle_.emplace(std::move(settings));
    }
    oracle_device_ = device;
    return *oracle_;
  }

  Settings settings_;
  Clone clone_;
  std::vector<TaskFile> chosen_;
  std::optional<oracle::OracleProcess> oracle_;
  std::string oracle_device_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const Task>> described_;  // name, backend
};

class CloneKind final : public SuiteKind {
 public:
  const Profile& profile() const override { return kernelbench_profile(); }

  std::unique_ptr<Suite> open(const std::string& location, const OptionValues& options) const override {
    return std::make_unique<CloneSuite>(settings_from(location, options));
  }

  std::unique_ptr<Suite> read(yaml::MapReader map) const override {
    return std::make_unique<CloneSuite>(read_settings(std::move(map)));
  }
};

}  // namespace

const SuiteKind& kind() {
  static const CloneKind clone;
  return clone;
}

}  // namespace ridgeline::suites::kernelbench
