#include "engine/campaign/model_reader.hpp"

#include <nlohmann/json.hpp>

#include "engine/campaign/file_paths.hpp"
#include "engine/core/codec.hpp"
#include "engine/yaml/json.hpp"

namespace ridgeline::campaign {
namespace {

llm::Prices read_prices(yaml::MapReader map) {
  llm::Prices prices;
  prices.input = map.optional<double>("input", prices.input, yaml::at_least(0));
  prices.cached_input = map.optional<double>("cached_input", yaml::at_least(0));
  prices.output = map.optional<double>("output", prices.output, yaml::at_least(0));
  map.finish();
  return prices;
}

llm::Limits read_limits(yaml::MapReader map) {
  llm::Limits limits;
  limits.requests_per_minute = map.optional<int>("requests_per_minute", 0, yaml::at_least(0));
  limits.tokens_per_minute = map.optional<int>("tokens_per_minute", 0, yaml::at_least(0));
  limits.concurrency = map.optional<int>("concurrency", limits.concurrency, yaml::in_range(1, 10000));
  map.finish();
  return limits;
}

llm::Timeouts read_timeouts(yaml::MapReader map) {
  llm::Timeouts timeouts;
  const auto seconds = yaml::in_range(0.001, 86400);
  timeouts.connect = map.optional<double>("connect", timeouts.connect, seconds);
  timeouts.first_byte = map.optional<double>("first_byte", timeouts.first_byte, seconds);
  timeouts.between_bytes = map.optional<double>("between_bytes", timeouts.between_bytes, seconds);
  timeouts.total = map.optional<double>("total", timeouts.total, seconds);
  map.finish();
  return timeouts;
}

llm::Retries read_retries(yaml::MapReader map) {
  llm::Retries retries;
  retries.attempts = map.optional<int>("attempts", retries.attempts, yaml::in_range(1, 100));
  retries.base = map.optional<double>("base", retries.base, yaml::in_range(0, 3600));
  retries.cap = map.optional<double>("cap", retries.cap, yaml::in_range(0, 3600));
  retries.longest = map.optional<double>("longest", retries.longest, yaml::in_range(0, 86400));
  map.finish();
  return retries;
}

llm::Model read_model(const std::string& name, yaml::MapReader map) {
  llm::Model model;
  model.name = name;
  model.provider = map.required<llm::Provider>("provider");
  const bool needs_path = model.provider == llm::Provider::replay || model.provider == llm::Provider::mailbox;
  if (needs_path) {
    model.path = path_in_file(map.demand("path"));
  } else {
    if (const auto path = map.find("path"))  // `path: null` takes a replay's path out from the command line
      path->fail("path belongs to the providers replay and mailbox");
    model.id = map.required<std::string>("id");
    model.base_url = map.optional<std::string>("base_url", "");
    model.api_key_env = map.optional<std::string>("api_key_env", "");
    model.api_key_file = optional_path(map, "api_key_file");
    model.stream = map.optional<bool>("stream", true);
    model.batch = map.optional<bool>("batch", false);
    model.batch_window = map.optional<double>("batch_window", model.batch_window, yaml::in_range(0, 3600));
    model.prompt_format = map.optional<llm::PromptFormat>("prompt_format", llm::PromptFormat::plain);
    if (auto timeouts = map.optional_map("timeouts")) model.timeouts = read_timeouts(*timeouts);
    if (auto retries = map.optional_map("retries")) model.retries = read_retries(*retries);
    if (const auto extra = map.find("extra")) {
      if (!extra->is_map()) extra->fail_type("a map that is merged into the request body");
      model.extra = dump_json(yaml::to_json(*extra));
    }
  }
  model.temperature = map.optional<double>("temperature", yaml::in_range(0, 2));
  model.max_output_tokens =
      map.optional<int>("max_output_tokens", model.max_output_tokens, yaml::in_range(1, 10'000'000));
  if (auto prices = map.optional_map("prices")) model.prices = read_prices(*prices);
  if (auto limits = map.optional_map("limits")) model.limits = read_limits(*limits);
  map.finish();
  return model;
}

}  // namespace

std::vector<llm::Model> read_models(yaml::MapReader models) {
  std::vector<llm::Model> read;
  for (const auto& name : models.keys()) read.push_back(read_model(name, models.map(name)));
  if (read.empty()) models.fail("models names no model");
  return read;
}

}  // namespace ridgeline::campaign
