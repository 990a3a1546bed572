#include "engine/campaign/model_reader.hpp"

#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "engine/yaml/file_paths.hpp"
#include "engine/yaml/json.hpp"
#include "llm_clients/batch_dialect.hpp"
#include "llm_clients/entry_checks.hpp"
#include "llm_clients/url.hpp"

namespace ridgeline::campaign {
namespace {

/// Anthropic bills writing to its cache at 1.25 times the price of input. A file that names no price for it
/// gets this: with none a cap could be overspent.
constexpr double kAnthropicCacheWrite = 1.25;

llm::Prices read_prices(yaml::MapReader map) {
  llm::Prices prices;
  prices.input = map.optional<double>("input", prices.input, yaml::at_least(0));
  prices.cached_input = map.optional<double>("cached_input", yaml::at_least(0));
  prices.cache_write = map.optional<double>("cache_write", yaml::at_least(0));
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

llm::Patience read_patience(const yaml::Node& node) {
  llm::Patience patience;
  const auto longest = yaml::in_range(0, 30 * 86400.0);
  if (!node.is_map()) {
    patience.seconds = node.as<double>(longest);
    return patience;
  }
  auto map = node.map();
  patience.seconds = map.optional<double>("seconds", patience.seconds, longest);
  patience.longest_pause =
      map.optional<double>("longest_pause", patience.longest_pause, yaml::in_range(0.01, 86400));
  map.finish();
  return patience;
}

/// Returns the place of a value that must not be shown. The place of an override is its whole text, value
/// included, so only its path is named.
std::string place_without_value(const yaml::Node& node) {
  const auto& place = node.place();
  return place.line > 0 ? place.text() : "--set " + node.path();
}

[[noreturn]] void fail_without_value(const yaml::Node& node, const std::string& what) {
  throw BadInput(place_without_value(node) + ": '" + node.path() + "' " + what);
}

/// Reads the name of an environment variable. People put the key itself there, so an error must not show it.
std::string read_variable(yaml::MapReader& map, const std::string& key) {
  const auto node = map.find(key);
  auto name = node ? node->as<std::string>() : "";
  if (name.empty()) return name;
  if (const auto problem = llm::variable_problem(name); !problem.empty()) fail_without_value(*node, problem);
  return name;
}

/// Reads a base URL. Its query may hold a key, so an error about that must not show it.
std::string read_address(yaml::MapReader& map) {
  const auto node = map.find("base_url");
  auto url = node ? node->as<std::string>() : "";
  if (url.empty()) return url;
  if (const auto problem = llm::query_problem(url); !problem.empty()) fail_without_value(*node, problem);
  llm::parse_url(url, place_without_value(*node) + ": " + node->path());
  return url;
}

llm::ModelEndpoint read_endpoint(yaml::MapReader& map) {
  llm::ModelEndpoint endpoint;
  endpoint.base_url = read_address(map);
  endpoint.api_key_env = read_variable(map, "api_key_env");
  endpoint.api_key_file = yaml::optional_path(map, "api_key_file");
  if (!endpoint.api_key_env.empty() && !endpoint.api_key_file.empty())
    map.find("api_key_file")->fail("both api_key_env and api_key_file; name one place for the key");
  return endpoint;
}

void read_headers(llm::Model& model, yaml::MapReader map) {
  for (const auto& name : map.keys()) {
    const auto node = map.demand(name);
    auto value = node.as<std::string>();
    if (const auto problem = llm::header_problem(name, value); !problem.empty())
      fail_without_value(node, problem);
    model.headers.emplace_back(name, std::move(value));
  }
}

/// Reads where the API key comes from. A model has one source of keys: `endpoints`, each with its own; a
/// command; or a variable or a file.
void read_keys(llm::Model& model, yaml::MapReader& map) {
  auto single = read_endpoint(map);
  const bool named = !single.api_key_env.empty() || !single.api_key_file.empty();
  const auto command = map.find("key_command");
  if (command) {
    model.key_command = command->as<std::vector<std::string>>();
    if (model.key_command.empty() || model.key_command.front().empty())
      command->fail("key_command names no program; write a list of words: [program, argument, …]");
    if (named) command->fail("key_command beside api_key_env or api_key_file; name one source of the key");
  }
  if (const auto refresh = map.find("key_refresh")) {
    model.key_refresh = refresh->as<double>(yaml::in_range(0, 30 * 86400.0));
    if (!command) refresh->fail("key_refresh belongs to key_command, which is not there");
  }
  if (const auto list = map.find("endpoints")) {
    if (named || command || !single.base_url.empty())
      list->fail(
          "endpoints beside base_url, api_key_env, api_key_file or key_command; put that address with "
          "its key into the list");
    for (const auto& item : list->list()) {
      auto endpoint = item.map();
      model.endpoints.push_back(read_endpoint(endpoint));
      endpoint.finish();
    }
    if (model.endpoints.empty()) list->fail("endpoints names none");
  }
  model.base_url = std::move(single.base_url);
  model.api_key_env = std::move(single.api_key_env);
  model.api_key_file = std::move(single.api_key_file);
}

void read_body(llm::Model& model, yaml::MapReader& map) {
  model.stream = map.optional<bool>("stream", true);
  if (const auto batch = map.find("batch")) {
    model.batch = batch->as<bool>();
    if (model.batch && !llm::batch_dialect_of(model.provider))
      batch->fail("batch belongs to openai_chat, openai_completions and anthropic");
    if (model.batch && model.endpoints.size() > 1)
      batch->fail("batch beside several endpoints; a batch lives at one address, so name one");
  }
  model.batch_window = map.optional<double>("batch_window", model.batch_window, yaml::in_range(0, 3600));
  model.send_seed = map.optional<bool>("seed", true);
  if (const auto extra = map.find("extra")) {
    if (!extra->is_map()) extra->fail_type("a map that is merged into the request body");
    const auto json = yaml::to_json(*extra);
    // Keys that the engine writes itself (model, messages, stream) must not be replaced.
    if (const auto problem = llm::extra_problem(model.provider, json); !problem.empty())
      extra->fail("'" + extra->path() + "' " + problem);
    model.extra = dump_json(json);
  }
  const bool openai =
      model.provider == llm::Provider::openai_chat || model.provider == llm::Provider::openai_completions;
  model.prompt_format = map.optional<llm::PromptFormat>("prompt_format", llm::PromptFormat::plain);
  if (const auto field = map.find("max_tokens_field")) {
    if (!openai) field->fail("max_tokens_field belongs to openai_chat and openai_completions");
    model.max_tokens_field = field->as<llm::MaxTokensField>();
  }
  if (const auto cache = map.find("cache")) {
    if (model.provider != llm::Provider::anthropic)
      cache->fail("cache belongs to anthropic; the other providers cache by themselves");
    model.cache = cache->as<bool>();
  }
}

void read_provider(llm::Model& model, yaml::MapReader& map) {
  // An override `path=null` removes the path of a replay entry that becomes a provider's: find skips null.
  if (const auto path = map.find("path")) path->fail("path belongs to the providers replay and mailbox");
  model.id = map.required<std::string>("id");
  read_keys(model, map);
  if (auto headers = map.optional_map("headers")) read_headers(model, *headers);
  read_body(model, map);
  if (auto timeouts = map.optional_map("timeouts")) model.timeouts = read_timeouts(*timeouts);
  if (auto retries = map.optional_map("retries")) model.retries = read_retries(*retries);
  if (const auto patience = map.find("patience")) model.patience = read_patience(*patience);
}

llm::Model read_model(const std::string& name, yaml::MapReader map) {
  llm::Model model;
  model.name = name;
  model.provider = map.required<llm::Provider>("provider");
  // These two have a file or folder and no address, so no key of a provider belongs to them.
  if (model.provider == llm::Provider::replay || model.provider == llm::Provider::mailbox)
    model.path = yaml::path_in_file(map.demand("path"));
  else
    read_provider(model, map);
  model.temperature = map.optional<double>("temperature", yaml::in_range(0, 2));
  model.max_output_tokens =
      map.optional<int>("max_output_tokens", model.max_output_tokens, yaml::in_range(1, 10'000'000));
  if (auto prices = map.optional_map("prices")) model.prices = read_prices(*prices);
  if (model.provider == llm::Provider::anthropic && !model.prices.cache_write)
    model.prices.cache_write = kAnthropicCacheWrite * model.prices.input;
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
