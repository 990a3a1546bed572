// `ridgeline serve`: a live page of a store, on this machine alone.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/cli/commands.hpp"
#include "engine/cli/interrupted.hpp"
#include "engine/cli/open_store.hpp"
#include "engine/cli/options.hpp"
#include "engine/cli/printing.hpp"
#include "engine/serve/server.hpp"
#include "engine/serve/site.hpp"

namespace ridgeline::cli {
namespace {

struct ServeOptions {
  std::string store;
  unsigned short port = 7411;
  bool json = false;
};

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void serve(const ServeOptions& options) {
  const auto store = open_store_with_campaigns(options.store);
  // Nice: a campaign may be timing kernels on these cores.
  ::setpriority(PRIO_PROCESS, 0, 10);
  boost::asio::thread_pool background(1);
  serve::Site site(
      store, [&](std::function<void()> work) { boost::asio::post(background, std::move(work)); },
      seconds_now);
  serve::Server server(options.port, [&](const serve::Request& request) { return site.respond(request); });
  const auto url = fmt::format("http://127.0.0.1:{}/", server.port());
  if (options.json)
    print_json("serve", {{"url", url}, {"port", server.port()}, {"store", options.store}});
  else
    std::cout << url << std::endl;
  std::cerr << "a live page of " << options.store << "; Ctrl-C ends it\n";
  server.run();
  // Before `site` goes: what runs in the background uses it.
  background.stop();
  background.join();
  throw Interrupted("ended; the store was only read");
}

}  // namespace

void add_serve_command(CLI::App& app) {
  auto* command = app.add_subcommand("serve", "A live page of a campaign, for this machine's browser");
  const auto options = std::make_shared<ServeOptions>();
  command->add_option("STORE", options->store, "A campaign's store; the campaign may be running")->required();
  command->add_option("--port", options->port, "On 127.0.0.1; 0 takes any free one (default: 7411)");
  add_json_option(*command, options->json);
  command->callback([options] { serve(*options); });
}

}  // namespace ridgeline::cli
