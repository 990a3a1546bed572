#include "llm_clients/factory.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

#include "engine/core/error.hpp"
#include "llm_clients/beast_transport.hpp"
#include "llm_clients/folder_watch.hpp"
#include "llm_clients/keys.hpp"
#include "llm_clients/mailbox_client.hpp"
#include "llm_clients/protocol.hpp"
#include "llm_clients/provider_client.hpp"
#include "llm_clients/recording.hpp"
#include "llm_clients/replay_client.hpp"

namespace ridgeline::llm {
namespace {

constexpr auto kMailboxPeriod = std::chrono::seconds(2);

const char* environment(const char* name) {
  return std::getenv(name);
}

void require(const std::string& value, const Model& model, const char* key, const char* mend) {
  if (value.empty()) throw BadInput("models." + model.name + '.' + key + " is missing; " + mend);
}

void check_extra(const Model& model) {
  if (model.extra.empty()) return;
  if (!nlohmann::json::parse(model.extra, nullptr, false).is_object())
    throw BadInput("models." + model.name + ".extra must be a map, merged into the body of each request");
}

std::unique_ptr<LlmClient> provider_client(const Model& model, boost::asio::io_context& io,
                                           OnEndpoint on_endpoint) {
  require(model.id, model, "id", "name the model as the provider does");
  check_extra(model);
  const std::string where = "models." + model.name + ".base_url";
  const Url url = parse_url(protocol_of(model.provider).url(model), where);

  ProviderParts parts;
  parts.model = model;
  parts.key = read_key(model, url, environment);
  TransportOptions options;
  options.proxy = proxy_settings(environment);
  parts.transport = make_transport(io, std::move(options));
  parts.timers = make_timers(io);
  parts.random = [engine = std::mt19937_64(std::random_device{}())]() mutable {
    return std::uniform_real_distribution<double>(0, 1)(engine);
  };
  parts.on_endpoint = std::move(on_endpoint);
  parts.endpoints = &endpoints_of(io);
  return make_provider_client(std::move(parts));
}

}  // namespace

std::unique_ptr<LlmClient> make_client(const Model& model, boost::asio::io_context& io,
                                       OnEndpoint on_endpoint) {
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
  return provider_client(model, io, std::move(on_endpoint));
}

}  // namespace ridgeline::llm
