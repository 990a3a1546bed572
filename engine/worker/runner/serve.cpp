#include "engine/worker/runner/serve.hpp"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/file_descriptor.hpp"
#include "engine/worker/runner/channel.hpp"
#include "engine/worker/runner/counter_sheet.hpp"
#include "engine/worker/runner/fault_report.hpp"
#include "engine/worker/runner/ticks.hpp"
#include "engine/worker/runner/wire.hpp"
#include "engine/worker/sandbox/lockdown.hpp"

namespace ridgeline::runner {
namespace {

// Polls for the batch that follows an empty one at once, some 3 ms: see poll_for_packet.
constexpr int kPolls = 10'000;

Reply with_text(Answer answer, std::string_view text) {
  Reply reply;
  reply.answer = answer;
  reply.text_bytes = static_cast<std::uint32_t>(text.copy(reply.text.data(), reply.text.size()));
  return reply;
}

class Server {
 public:
  Server(int channel, std::unique_ptr<Side> side, std::unique_ptr<Candidate> candidate, Lockdowns lockdowns,
         std::unique_ptr<Counting> counting)
      : side_(std::move(side)),
        candidate_(std::move(candidate)),
        counting_(std::move(counting)),
        fds_{channel, 1, 2} {
    if (lockdowns == Lockdowns::device)
      lockdown_ = sandbox::Lockdown::device();
    else if (lockdowns == Lockdowns::interpreter)
      lockdown_ = sandbox::Lockdown::interpreter(fds_);
    else if (lockdowns == Lockdowns::library)
      library_.emplace(fds_);
  }

  bool stays_awake() const { return side_->stays_awake(); }

  /// A constructor is the candidate's code, so the lockdown comes before it is loaded.
  Reply load(const Load& load) {
    if (loaded_ || load.path.back() != 0) return with_text(Answer::refused, "one load, of one path");
    if (const auto refusal = candidate_->prepare(load.path.data()))
      return with_text(refusal->answer, refusal->text);
    if (lockdown_) lockdown_->install();
    if (library_) library_->before_load();
    if (const auto refusal = candidate_->load(load.path.data()))
      return with_text(refusal->answer, refusal->text);
    loaded_ = true;
    if (library_) library_->before_first_call();
    return {};
  }

  Reply map(const Map& map, std::span<int> descriptors) {
    arranged_.pointers.clear();
    if (map.arguments == 0) candidate_->release_memory();
    const bool again = map.how == Mapped::again;
    const bool sound = descriptors.size() == (again ? 0 : map.memories) && map.place < kMaxMappings &&
                       map.arguments <= kMaxArguments &&
                       std::all_of(
                           map.memory_of.begin(), map.memory_of.begin() + map.arguments,
                           [&](std::size_t memory) { return memory < map.memories; });
    if (!sound) return with_text(Answer::refused, "a descriptor a memory, and a memory for each argument");
    memory_of_.assign(map.memory_of.begin(), map.memory_of.begin() + map.arguments);
    if (map.how == Mapped::alone) side_->unmap_all();
    if (again)
      side_->use(map.place);
    else if (!side_->map(map.place, descriptors, map.bytes))
      return with_text(Answer::refused, "mapping the arguments failed");
    if (side_->count() != map.memories) return with_text(Answer::refused, "nothing such is mapped there");
    Reply reply;
    for (std::size_t i = 0; i < side_->count(); ++i)
      reply.bases[i] = reinterpret_cast<std::uintptr_t>(side_->base(i));
    return reply;
  }

  Reply arrange(const Arrange& arrange) {
    const std::size_t count = std::size_t{arrange.slots} * arrange.arguments;
    if (arrange.arguments != memory_of_.size() || count > kMaxPointers)
      return with_text(Answer::refused, "the arrangement does not fit what is mapped");
    arranged_.arguments = arrange.arguments;
    arranged_.pointers.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t memory = memory_of_[i % arrange.arguments];
      const std::size_t offset = std::size_t{arrange.pointers[i]} * kPointerUnit;
      if (offset > side_->bytes(memory)) return with_text(Answer::refused, "a pointer outside its file");
      arranged_.pointers[i] = side_->base(memory) + offset;
    }
    const bool same_sizes = has_sizes_ && arrange.sizes == arranged_.sizes;
    has_sizes_ = true;
    arranged_.sizes = arrange.sizes;
    arranged_.float_scalars = arrange.float_scalars;
    arranged_.int_scalars = arrange.int_scalars;
    arranged_.replay = arrange.replay;
    if (!same_sizes && !make_workspace())
      return with_text(Answer::call_error, "the workspace asked for is over the memory limit");
    const auto refusal = candidate_->arrange(arranged_);
    return refusal ? with_text(refusal->answer, refusal->text) : Reply{};
  }

  Reply go(const Go& go) {
    const std::size_t slots = arranged_.slots();
    if (go.count > 0 && (!loaded_ || go.first > slots || go.count > slots - go.first))
      return with_text(Answer::refused, "no such slots");
    return call(go.first, go.count);
  }

  Reply observe(const Observe& observe) {
    if (!loaded_ || observe.slot >= arranged_.slots()) return with_text(Answer::refused, "no such slot");
    const auto observed = candidate_->observe(observe.slot);
    std::string error;
    if (const int ended = side_->finish(error); ended != 0) {
      auto failed = with_text(Answer::call_error, error);
      failed.code = ended;
      return failed;
    }
    return with_text(observed.answer, observed.text);
  }

  Reply profile(const Profile& profile, FileDescriptor sheet) {
    if (loaded_ || !sheet || profile.set >= kMaxSets)
      return with_text(Answer::refused, "a sheet for each set, before the load");
    if (!counting_) return with_text(Answer::no_counters, "this runner counts nothing");
    return counted([&] { counting_->prepare(profile.set, std::move(sheet)); });
  }

  Reply count(const Count& count) {
    const std::size_t slots = arranged_.slots();
    const bool there = loaded_ && count.first <= slots && count.count <= slots - count.first;
    if (!counting_ || !(there || count.count == 0)) return with_text(Answer::refused, "no such slots");
    if ((count.how & kSurveys) != 0) return survey(count);
    const bool by_launch = (count.how & kByLaunch) != 0;
    const auto begun = counted([&] {
      if ((count.how & kOpensPass) != 0) counting_->open(count.set);
      if (count.count > 0) counting_->begin(by_launch);
    });
    if (begun.answer != Answer::ok) return begun;
    const auto reply = count.count > 0 ? call(count.first, count.count) : Reply{};
    const auto ended = counted([&] {
      if (count.count > 0) counting_->end(by_launch);
      if ((count.how & kClosesPass) != 0) counting_->close();
    });
    return reply.answer == Answer::ok && ended.answer != Answer::ok ? ended : reply;
  }

  Reply report(const Report& report) {
    if (!counting_) return with_text(Answer::refused, "nothing was counted");
    return counted([&] { counting_->report(report.set); });
  }

 private:
  Reply call(std::size_t first, std::size_t count) {
    Reply reply;
    side_->begin();
    const auto begin = ticks();
    // A loaded candidate gets no empty batch: it could do the work of the next one there.
    if (count > 0 || !loaded_) reply.code = candidate_->run(arranged_, first, count);
    const bool refused = reply.code != 0;
    std::string text = refused ? candidate_->error_text(reply.code) : "";
    std::string error;
    const int ended = side_->finish(error);
    reply.ticks = ticks() - begin;
    // Events around nothing can lie a rounding below zero apart, which the judge would take for a forgery.
    reply.device_seconds = std::max(0.0, side_->device_seconds());
    if (!refused && ended == 0) return reply;
    auto failed = with_text(Answer::call_error, refused ? text : error);
    failed.code = refused ? reply.code : ended;
    return failed;
  }

  Reply survey(const Count& count) {
    const auto begun = counted([&] { counting_->begin_survey(); });
    if (begun.answer != Answer::ok) return begun;
    const auto reply = call(count.first, count.count);
    const auto ended = counted([&] { counting_->end_survey(count.set); });
    return reply.answer == Answer::ok && ended.answer != Answer::ok ? ended : reply;
  }

  template <class Work>
  static Reply counted(Work&& work) {
    try {
      work();
      return {};
    } catch (const std::exception& error) {
      return with_text(Answer::no_counters, error.what());
    }
  }

  /// Makes the workspace for new sizes; its size may depend on nothing else.
  bool make_workspace() {
    const std::size_t bytes = loaded_ ? candidate_->workspace_bytes(arranged_.sizes.data()) : 0;
    arranged_.workspace = side_->make_workspace(bytes);
    return bytes == 0 || arranged_.workspace;
  }

  std::unique_ptr<Side> side_;
  std::unique_ptr<Candidate> candidate_;
  std::unique_ptr<Counting> counting_;
  std::vector<int> fds_;
  std::optional<sandbox::Lockdown> lockdown_;
  std::optional<sandbox::LibraryLockdowns> library_;
  std::vector<std::uint16_t> memory_of_;  // each argument
  Arrangement arranged_;
  bool loaded_ = false;
  bool has_sizes_ = false;
};

/// Every message begins with a header; the largest is Arrange.
union Packet {
  Header header;
  Load load;
  Map map;
  Arrange arrange;
  Go go;
  Observe observe;
  Profile profile;
  Count count;
  Report report;
  Packet() : header{} {}
};

/// Returns the one descriptor of a message; closes them all if it has another number.
FileDescriptor take_only(std::span<int> descriptors) {
  if (descriptors.size() == 1) return FileDescriptor(descriptors[0]);
  for (const int descriptor : descriptors) ::close(descriptor);
  return {};
}

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
    case Kind::observe:
      return server.observe(packet.observe);
    case Kind::profile:
      return server.profile(packet.profile, take_only(descriptors));
    case Kind::count:
      return server.count(packet.count);
    case Kind::report:
      return server.report(packet.report);
    case Kind::open:  // came before there was a server
      break;
  }
  return with_text(Answer::refused, "no such message");
}

}  // namespace

void serve(int channel, std::unique_ptr<Side> side, std::unique_ptr<Candidate> candidate, Lockdowns lockdowns,
           std::unique_ptr<Counting> counting) {
  sandbox::prepare_for_lockdown();
  report_faults_to(channel);
  Server server(channel, std::move(side), std::move(candidate), lockdowns, std::move(counting));
  const auto packet = std::make_unique<Packet>();
  std::array<int, kMaxMemories> descriptors{};
  const Reply ready{.answer = Answer::ready};
  if (!send_packet(channel, &ready, sizeof ready)) return;
  for (;;) {
    const auto received = receive_packet(channel, packet.get(), sizeof *packet, descriptors);
    if (received.bytes < sizeof(Header)) return;
    Reply reply = answer(server, *packet, std::span(descriptors).first(received.descriptors));
    reply.sequence = packet->header.sequence;
    if (!send_packet(channel, &reply, sizeof reply)) return;
    const bool announced = packet->header.kind == Kind::go && packet->go.count == 0;
    if (announced && server.stays_awake()) poll_for_packet(channel, kPolls);
  }
}

}  // namespace ridgeline::runner
