#include "engine/worker/runner/serve.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/worker/runner/candidate.hpp"
#include "engine/worker/runner/channel.hpp"
#include "engine/worker/runner/fault_report.hpp"
#include "engine/worker/runner/side.hpp"
#include "engine/worker/runner/wire.hpp"
#include "engine/worker/sandbox/lockdown.hpp"

namespace ridgeline::runner {
namespace {

Reply with_text(Answer answer, std::string_view text) {
  Reply reply;
  reply.answer = answer;
  reply.text_bytes = static_cast<std::uint32_t>(text.copy(reply.text.data(), reply.text.size()));
  return reply;
}

class Server {
 public:
  Server(int channel, std::unique_ptr<Side> side, bool locked) : side_(std::move(side)), fds_{channel, 1, 2} {
    if (locked) {
      loading_ = Lockdown::loading(fds_);
      running_ = Lockdown::running(fds_);
    }
  }

  Reply load(const Load& load) {
    if (candidate_.call || load.path.back() != 0) return with_text(Answer::refused, "one load, of one path");
    if (loading_) loading_->install();
    candidate_ = load_candidate(load.path.data());
    if (!candidate_.error.empty()) return with_text(Answer::load_error, candidate_.error);
    if (!candidate_.missing.empty()) return with_text(Answer::no_entry_point, candidate_.missing);
    set_candidate_range(candidate_.load_address, candidate_.end);
    if (running_) running_->install();
    return {};
  }

  Reply map(const Map& map, std::span<int> descriptors) {
    pointers_.clear();
    if (map.arguments != descriptors.size()) return with_text(Answer::refused, "one descriptor an argument");
    if (!side_->map(descriptors, map.bytes))
      return with_text(Answer::refused, "mapping the arguments failed");
    Reply reply;
    for (std::size_t i = 0; i < side_->count(); ++i)
      reply.bases[i] = reinterpret_cast<std::uintptr_t>(side_->base(i));
    return reply;
  }

  Reply arrange(const Arrange& arrange) {
    const std::size_t count = std::size_t{arrange.slots} * arrange.arguments;
    if (arrange.arguments != side_->count() || count > kMaxPointers)
      return with_text(Answer::refused, "the arrangement does not fit what is mapped");
    arguments_ = arrange.arguments;
    pointers_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t argument = i % arguments_;
      const std::size_t offset = std::size_t{arrange.pointers[i]} * kPointerUnit;
      if (offset > side_->bytes(argument)) return with_text(Answer::refused, "a pointer outside its file");
      pointers_[i] = side_->base(argument) + offset;
    }
    const bool same_sizes = arranged_ && arrange.sizes == sizes_;
    arranged_ = true;
    sizes_ = arrange.sizes;
    float_scalars_ = arrange.float_scalars;
    int_scalars_ = arrange.int_scalars;
    return same_sizes ? Reply{} : make_workspace();
  }

  Reply go(const Go& go) {
    const std::size_t slots = arguments_ == 0 ? 0 : pointers_.size() / arguments_;
    if (go.count > 0 && (!candidate_.call || go.first > slots || go.count > slots - go.first))
      return with_text(Answer::refused, "no such slots");
    Reply reply;
    side_->begin();
    const auto begin = ticks();
    for (std::size_t slot = go.first; slot < std::size_t{go.first} + go.count && reply.code == 0; ++slot)
      reply.code = candidate_.call(&pointers_[slot * arguments_], sizes_.data(), float_scalars_.data(),
                                   int_scalars_.data(), workspace_, nullptr);
    const bool refused = reply.code != 0;
    std::string text = refused && candidate_.error_text ? candidate_.error_text(reply.code) : "";
    std::string trouble;
    const int ended = side_->finish(trouble);
    reply.ticks = ticks() - begin;
    reply.device_seconds = side_->device_seconds();
    if (!refused && ended == 0) return reply;
    auto failed = with_text(Answer::call_error, refused ? text : trouble);
    failed.code = refused ? reply.code : ended;
    return failed;
  }

 private:
  /// Anew when the sizes change.
  Reply make_workspace() {
    const std::size_t bytes = candidate_.workspace ? candidate_.workspace(sizes_.data()) : 0;
    workspace_ = side_->make_workspace(bytes);
    if (bytes > 0 && !workspace_)
      return with_text(Answer::call_error, "the workspace asked for is over the memory limit");
    return {};
  }

  std::unique_ptr<Side> side_;
  std::vector<int> fds_;
  std::optional<Lockdown> loading_, running_;
  LoadedCandidate candidate_;
  std::vector<void*> pointers_;
  std::size_t arguments_ = 0;
  bool arranged_ = false;
  std::array<std::int64_t, kMaxSizes> sizes_{};
  std::array<double, kMaxScalars> float_scalars_{};
  std::array<std::int64_t, kMaxScalars> int_scalars_{};
  void* workspace_ = nullptr;
};

/// Every message begins with a header; the largest is Arrange.
union Packet {
  Header header;
  Load load;
  Map map;
  Arrange arrange;
  Go go;
  Packet() : header{} {}
};

Reply answer(Server& server, const Packet& packet, std::span<int> descriptors) {
  switch (packet.header.kind) {
    case Kind::load:
      return server.load(packet.load);
    case Kind::map:
      return server.map(packet.map, descriptors);
    case Kind::arrange:
      return server.arrange(packet.arrange);
    case Kind::go:
      return server.go(packet.go);
  }
  return with_text(Answer::refused, "no such message");
}

}  // namespace

void serve(int channel, std::unique_ptr<Side> side, bool locked) {
  prepare_for_lockdown();
  report_faults_to(channel);
  Server server(channel, std::move(side), locked);
  const auto packet = std::make_unique<Packet>();
  std::array<int, kMaxArguments> descriptors{};
  const Reply ready{.answer = Answer::ready};
  if (!send_packet(channel, &ready, sizeof ready)) return;
  for (;;) {
    const auto received = receive_packet(channel, packet.get(), sizeof *packet, descriptors);
    if (received.bytes < sizeof(Header)) return;
    Reply reply = answer(server, *packet, std::span(descriptors).first(received.descriptors));
    reply.sequence = packet->header.sequence;
    if (!send_packet(channel, &reply, sizeof reply)) return;
  }
}

}  // namespace ridgeline::runner
