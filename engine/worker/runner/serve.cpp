#include "engine/worker/runner/serve.hpp"

#include <array>
#include <memory>
#include <span>
#include <utility>

#include "engine/worker/runner/channel.hpp"
#include "engine/worker/runner/fault_report.hpp"
#include "engine/worker/runner/server.hpp"
#include "engine/worker/runner/wire.hpp"
#include "engine/worker/sandbox/lockdown.hpp"

namespace ridgeline::runner {
void serve(int channel, std::unique_ptr<Side> side, std::unique_ptr<Candidate> candidate, Lockdowns lockdowns,
           Means means) {
  sandbox::prepare_for_lockdown();
  report_faults_to(channel);
  Server server(channel, std::move(side), std::move(candidate), lockdowns, std::move(means));
  const auto packet = std::make_unique<Packet>();
  std::array<int, kMaxMemories> descriptors{};
  const Reply ready{.answer = Answer::ready};
  if (!send_packet(channel, &ready, sizeof ready)) return;
  for (;;) {
    const auto received = receive_packet(channel, packet.get(), sizeof *packet, descriptors);
    if (received.bytes < sizeof(Header)) return;
    const Reply reply =
        server.answer(*packet, received.bytes, std::span(descriptors).first(received.descriptors));
    if (!send_packet(channel, &reply, sizeof reply)) return;
  }
}

}  // namespace ridgeline::runner
