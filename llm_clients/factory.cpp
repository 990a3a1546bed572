#include "llm_clients/factory.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

#include "engine/core/error.hpp"
#include "llm_clients/batch_client.hpp"
#include "llm_clients/beast_transport.hpp"
#include "llm_clients/entry_checks.hpp"
#include "llm_clients/folder_watch.hpp"
#include "llm_clients/mailbox_client.hpp"
#include "llm_clients/protocol.hpp"
#include "llm_clients/provider_client.hpp"
#include "llm_clients/recording.hpp"
#include "llm_clients/replay_client.hpp"
#include "llm_clients/resolved_entry.hpp"

namespace ridgeline::llm {
namespace {

// Only for folders that inotify does not cover; a person or program answers in seconds at best.
constexpr auto kMailboxPeriod = std::chrono::seconds(2);
constexpr std::uint64_t kBatchResultBytes = 4ull << 30;  // a thousand long answers; memory holds one line

const char* environment(const char* name) {
  return std::getenv(name);
}

void require(const std::string& value, const Model& model, const char* key, const char* fix) {
  if (value.empty()) throw BadInput("models." + model.name + '.' + key + " is missing; " + fix);
}

void refuse(const std::string& problem, const Model& model, const std::string& key) {
  if (!problem.empty()) throw BadInput("models." + model.name + '.' + key + ' ' + problem);
}

/// Checks again what the reader of campaign files has checked, since entries come from elsewhere too.
void check_entry(const Model& model) {
  require(model.id, model, "id", "name the model as the provider does");
  refuse(variable_problem(model.api_key_env), model, "api_key_env");
  refuse(query_problem(model.base_url), model, "base_url");
  for (const auto& endpoint : model.endpoints) {
    refuse(variable_problem(endpoint.api_key_env), model, "endpoints.api_key_env");
    refuse(query_problem(endpoint.base_url), model, "endpoints.base_url");
  }
  for (const auto& [name, value] : model.headers)
    refuse(header_problem(name, value), model, "headers." + name);
  if (model.extra.empty()) return;
  refuse(extra_problem(model.provider, nlohmann::json::parse(model.extra, nullptr, false)), model, "extra");
}

std::function<double()> uniform() {
  // A generator per client: campaigns that start together must not jitter alike.
  return [engine = std::mt19937_64(std::random_device{}())]() mutable {
    return std::uniform_real_distribution<double>(0, 1)(engine);
  };
}

std::unique_ptr<Transport> transport_on(boost::asio::io_context& io, std::uint64_t body_bytes) {
  TransportOptions options;
  // Read for each client, so that a bad proxy variable fails before the campaign starts.
  options.proxy = proxy_settings(environment);
  options.limits.body_bytes = body_bytes;
  return make_transport(io, std::move(options));
}

std::unique_ptr<LlmClient> batch_client(ResolvedEntry entry, boost::asio::io_context& io,
                                        OnEndpoint on_endpoint, const std::filesystem::path& folder) {
  BatchParts parts;
  // A batch stays at the address that created it, so there is no failover between endpoints.
  parts.model = std::move(entry.addresses.front().model);
  parts.key = std::move(entry.addresses.front().key);
  parts.secrets = std::move(entry.secrets);
  parts.commands = make_command_runner(io);
  parts.transport = transport_on(io, kBatchResultBytes);
  parts.timers = make_timers(io);
  parts.random = uniform();
  parts.folder = folder;
  parts.on_endpoint = std::move(on_endpoint);
  parts.collect.window = parts.model.batch_window;
  return make_batch_client(std::move(parts));
}

std::unique_ptr<LlmClient> provider_client(const Model& model, boost::asio::io_context& io,
                                           OnEndpoint on_endpoint,
                                           const std::filesystem::path& batch_folder) {
  check_entry(model);
  auto entry = resolve_entry(model, environment);
  if (model.batch) return batch_client(std::move(entry), io, std::move(on_endpoint), batch_folder);

  ProviderParts parts;
  parts.model = std::move(entry.model);
  parts.addresses = std::move(entry.addresses);
  parts.secrets = std::move(entry.secrets);
  parts.commands = make_command_runner(io);
  parts.transport = transport_on(io, HttpReaderLimits{}.body_bytes);
  parts.timers = make_timers(io);
  parts.random = uniform();
  parts.on_endpoint = std::move(on_endpoint);
  parts.endpoints = &endpoints_of(io);
  return make_provider_client(std::move(parts));
}

}  // namespace

std::unique_ptr<LlmClient> make_client(const Model& model, boost::asio::io_context& io,
                                       OnEndpoint on_endpoint, const std::filesystem::path& batch_folder) {
  switch (model.provider) {
    case Provider::replay:
      require(model.path, model, "path", "name the recording");
      return make_replay_client(model, read_recording(model.path), model.path, make_timers(io));
    case Provider::mailbox: {
      require(model.path, model, "path", "name the mailbox folder");
      const auto make_watch = [&io](const std::filesystem::path& folder, std::function<void()> changed) {
        return watch_folder(io, folder, kMailboxPeriod, std::move(changed));
      };
      return make_mailbox_client(model, make_timers(io), make_watch);
    }
    case Provider::openai_chat:
    case Provider::openai_completions:
    case Provider::anthropic:
    case Provider::gemini:
      break;
  }
  return provider_client(model, io, std::move(on_endpoint), batch_folder);
}

}  // namespace ridgeline::llm
