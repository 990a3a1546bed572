#include "engine/suites/kernelbenchx/metadata.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/error.hpp"

namespace ridgeline::suites::kernelbenchx {
namespace {

using nlohmann::json;

/// One entry, whose complaints say where they are from.
class Entry {
 public:
  Entry(const json& entry, std::string place) : entry_(entry), place_(std::move(place)) {
    if (!entry_.is_object()) fail("is no object");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw BadInput(
        fmt::format("{}: {}; take the file as it is in a clone of BonnieW05/KernelBenchX", place_, what));
  }

  const json& demand(const char* key) const {
    const auto found = entry_.find(key);
    if (found == entry_.end()) fail(fmt::format("lacks \"{}\"", key));
    return *found;
  }
  std::string text(const char* key) const {
    const auto& value = demand(key);
    if (!value.is_string()) fail(fmt::format("\"{}\" is no text", key));
    return value.get<std::string>();
  }
  std::string optional_text(const char* key) const { return entry_.contains(key) ? text(key) : ""; }
  int whole(const char* key) const {
    const auto& value = demand(key);
    if (!value.is_number_integer()) fail(fmt::format("\"{}\" is no whole number", key));
    return value.get<int>();
  }
  double number(const char* key) const {
    const auto& value = demand(key);
    if (!value.is_number()) fail(fmt::format("\"{}\" is no number", key));
    return value.get<double>();
  }
  bool has(const char* key) const { return entry_.contains(key); }
  Entry inner(const char* key) const { return {demand(key), fmt::format("{}: \"{}\"", place_, key)}; }

 private:
  const json& entry_;
  std::string place_;
};

Quantization read_quantization(const Entry& entry) {
  const auto formats = entry.inner("quantization_spec");
  const auto gates = entry.inner("precision_thresholds");
  return {formats.text("weight"),
          formats.text("activation"),
          formats.text("compute"),
          formats.text("output"),
          {gates.number("cosine_sim"), gates.number("l1_relative"), gates.number("rmse")}};
}

Metadata read_entry(const Entry& entry) {
  Metadata meta;
  meta.name = entry.text("name");
  meta.signature = entry.text("func_inputs");
  meta.description = entry.text("description");
  meta.math = entry.optional_text("math");
  meta.example = entry.optional_text("example");
  meta.torch_code = entry.optional_text("torch_code");
  meta.other = entry.optional_text("other");
  meta.difficulty = entry.whole("difficulty");
  meta.operators = entry.whole("torch_cnt");
  meta.arguments = entry.whole("params_cnt");
  meta.dtype = entry.optional_text("dtype");
  if (entry.has("quantization_spec")) meta.quantization = read_quantization(entry);
  return meta;
}

/// Whether `file` is <Category>/<name>.py: it becomes a path below the clone's folder.
bool is_task_file(const std::string& file) {
  const std::filesystem::path path(file);
  return std::distance(path.begin(), path.end()) == 2 && path.extension() == ".py" &&
         path.begin()->string() != ".." && !path.is_absolute();
}

}  // namespace

std::vector<std::pair<std::string, Metadata>> read_metadata(const std::string& text,
                                                            const std::string& place) {
  const auto document = json::parse(text, nullptr, false);
  if (!document.is_array())
    throw BadInput(place + ": is no JSON array; take the file as it is in a clone of BonnieW05/KernelBenchX");
  std::vector<std::pair<std::string, Metadata>> entries;
  std::set<std::string> files;
  for (const auto& one : document) {
    const Entry entry(one, fmt::format("{}: entry {}", place, entries.size() + 1));
    auto file = entry.text("file");
    if (!is_task_file(file))
      entry.fail(fmt::format("\"file\" is '{}', which is no <Category>/<name>.py", file));
    if (!files.insert(file).second) entry.fail(fmt::format("names {} a second time", file));
    entries.emplace_back(std::move(file), read_entry(entry));
  }
  return entries;
}

}  // namespace ridgeline::suites::kernelbenchx
