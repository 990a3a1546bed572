#include "engine/worker/runner/server.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "engine/worker/runner/counter_sheet.hpp"
#include "engine/worker/runner/ticks.hpp"

namespace ridgeline::runner {
namespace {

Reply with_text(Answer answer, std::string_view text) {
  Reply reply;
  reply.answer = answer;
  reply.text_bytes = static_cast<std::uint32_t>(text.copy(reply.text.data(), reply.text.size()));
  return reply;
}

/// Returns the bytes of an arrangement at least: it may be sent without the pointers that it does not use.
std::size_t bytes_of(const Arrange& arrange) {
  return offsetof(Arrange, pointers) +
         std::size_t{arrange.slots} * arrange.arguments * sizeof(arrange.pointers[0]);
}

/// Returns the bytes of a message of this kind; those of an arrangement without pointers.
std::size_t least_bytes_of(Kind kind) {
  switch (kind) {
    case Kind::load:
      return sizeof(Load);
    case Kind::map:
      return sizeof(Map);
    case Kind::arrange:
      return offsetof(Arrange, pointers);
    case Kind::go:
      return sizeof(Go);
    case Kind::observe:
      return sizeof(Observe);
    case Kind::profile:
      return sizeof(Profile);
    case Kind::count:
      return sizeof(Count);
    case Kind::report:
      return sizeof(Report);
    case Kind::prepare_sealed:
      return sizeof(PrepareSealed);
    case Kind::open:  // came before there was a server
      break;
  }
  return 0;
}

/// Does work that may throw what it lacks. `otherwise` is the answer then.
template <class Work>
Reply attempted(Work&& work, Answer otherwise) {
  try {
    work();
    return {};
  } catch (const std::exception& error) {
    return with_text(otherwise, error.what());
  }
}

template <class Work>
Reply counted(Work&& work) {
  return attempted(std::forward<Work>(work), Answer::no_counters);
}

}  // namespace

Server::Server(int channel, std::unique_ptr<Side> side, std::unique_ptr<Candidate> candidate,
               Lockdowns lockdowns, Means means)
    : side_(std::move(side)),
      candidate_(std::move(candidate)),
      counting_(std::move(means.counting)),
      unsealer_(std::move(means.unsealer)),
      fds_{channel, 1, 2} {
  if (lockdowns == Lockdowns::device)
    lockdown_ = sandbox::Lockdown::device();
  else if (lockdowns == Lockdowns::interpreter)
    lockdown_ = sandbox::Lockdown::interpreter(fds_);
  else if (lockdowns == Lockdowns::library)
    library_.emplace(fds_);
}

/// A constructor is the candidate's code, so the lockdown comes before it is loaded.
Reply Server::load(const Load& load) {
  if (loaded_ || load.path.back() != 0) return with_text(Answer::refused, "one load, of one path");
  if (const auto refusal = candidate_->prepare(load.path.data()))
    return with_text(refusal->answer, refusal->text);
  if (lockdown_) lockdown_->install();
  if (library_) library_->before_load();
  if (const auto refusal = candidate_->load(load.path.data()))
    return with_text(refusal->answer, refusal->text);
  loaded_ = true;
  has_sizes_ = false;  // what it wants of scratch was never asked
  if (library_) library_->before_first_call();
  return {};
}

Reply Server::map(const Map& map, OwnedDescriptors& descriptors) {
  // Until all is well, nothing is mapped that an arrangement could refer to.
  arranged_.pointers.clear();
  memory_of_.clear();
  if (map.arguments == 0) candidate_->release_memory();
  const bool again = map.how == Mapped::again;
  const bool sound = descriptors.size() == (again ? 0 : map.memories) && map.place < kMaxMappings &&
                     map.how <= Mapped::again && map.arguments <= kMaxArguments &&
                     std::all_of(
                         map.memory_of.begin(), map.memory_of.begin() + map.arguments,
                         [&](std::size_t memory) { return memory < map.memories; });
  if (!sound) return with_text(Answer::refused, "a descriptor a memory, and a memory for each argument");
  if (map.how == Mapped::alone) side_->unmap_all();
  if (again)
    side_->use(map.place);
  else if (!side_->map(map.place, descriptors.release(), map.bytes))
    return with_text(Answer::refused, "mapping the arguments failed");
  if (side_->count() != map.memories) return with_text(Answer::refused, "nothing such is mapped there");
  memory_of_.assign(map.memory_of.begin(), map.memory_of.begin() + map.arguments);
  Reply reply;
  for (std::size_t i = 0; i < side_->count(); ++i)
    reply.bases[i] = reinterpret_cast<std::uintptr_t>(side_->base(i));
  return reply;
}

Reply Server::arrange(const Arrange& arrange, std::size_t bytes) {
  arranged_.pointers.clear();  // whoever is refused has no slots to call
  const std::size_t count = std::size_t{arrange.slots} * arrange.arguments;
  if (arrange.arguments != memory_of_.size() || count > kMaxPointers || bytes < bytes_of(arrange))
    return with_text(Answer::refused, "the arrangement does not fit what is mapped");
  arranged_.arguments = arrange.arguments;
  arranged_.pointers.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t memory = memory_of_[i % arrange.arguments];
    const std::size_t offset = std::size_t{arrange.pointers[i]} * kPointerUnit;
    if (offset > side_->bytes(memory)) {
      arranged_.pointers.clear();
      return with_text(Answer::refused, "a pointer outside its file");
    }
    arranged_.pointers[i] = side_->base(memory) + offset;
  }
  const bool same_sizes = has_sizes_ && arrange.sizes == arranged_.sizes;
  arranged_.sizes = arrange.sizes;
  arranged_.float_scalars = arrange.float_scalars;
  arranged_.int_scalars = arrange.int_scalars;
  arranged_.replay = arrange.replay;
  has_sizes_ = same_sizes || make_workspace();
  if (!has_sizes_) {
    arranged_.pointers.clear();
    return with_text(Answer::call_error, "the workspace asked for is over the memory limit");
  }
  const auto refusal = candidate_->arrange(arranged_);
  if (!refusal) return {};
  if (refusal->answer != Answer::ok) arranged_.pointers.clear();
  return with_text(refusal->answer, refusal->text);
}

Reply Server::go(const Go& go) {
  const std::size_t slots = arranged_.slots();
  const bool trial = !loaded_ && go.order == CallOrder::sealed;  // which calls nothing
  if (go.count > 0 && !trial && (!loaded_ || go.first > slots || go.count > slots - go.first))
    return with_text(Answer::refused, "no such slots");
  if (go.order > CallOrder::sealed) return with_text(Answer::refused, "no such order of calls");
  if (go.order == CallOrder::sealed && !unsealer_)
    return with_text(Answer::no_sealing, "this runner opens no sealed inputs");
  return call(go.first, go.count, go.order);
}

Reply Server::observe(const Observe& observe) {
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

Reply Server::profile(const Profile& profile, FileDescriptor sheet) {
  if (loaded_ || !sheet || profile.set >= kMaxSets)
    return with_text(Answer::refused, "a sheet for each set, before the load");
  if (!counting_) return with_text(Answer::no_counters, "this runner counts nothing");
  return counted([&] { counting_->prepare(profile.set, std::move(sheet)); });
}

Reply Server::prepare_sealed(const PrepareSealed& order, OwnedDescriptors& descriptors) {
  if (loaded_ || descriptors.size() != 2)
    return with_text(Answer::refused, "an exchange and its memory, before the load");
  if (!unsealer_) return with_text(Answer::no_sealing, "this runner opens no sealed inputs");
  const auto given = descriptors.release();
  FileDescriptor exchange(given[0]), memory(given[1]);
  return attempted(
      [&] {
        unsealer_->prepare(std::move(exchange), std::move(memory), order.memory_bytes, order.evicted_bytes);
      },
      Answer::no_sealing);
}

/// Calls slots outside of a pass.
template <class Begin, class End>
Reply Server::observed(const Count& count, Begin&& begin, End&& end) {
  const auto begun = counted(begin);
  if (begun.answer != Answer::ok) return begun;
  const auto reply = call(count.first, count.count);
  const auto ended = counted(end);
  return reply.answer == Answer::ok && ended.answer != Answer::ok ? ended : reply;
}

Reply Server::count(const Count& count) {
  const std::size_t slots = arranged_.slots();
  const bool there = loaded_ && count.first <= slots && count.count <= slots - count.first;
  if (!counting_ || !(there || count.count == 0)) return with_text(Answer::refused, "no such slots");
  if ((count.how & kSurveys) != 0)
    return observed(count, [&] { counting_->begin_survey(); }, [&] { counting_->end_survey(count.set); });
  if ((count.how & kSpans) != 0)
    return observed(
        count, [&] { counting_->begin_spans(count.set); }, [&] { counting_->end_spans(count.set); });
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

Reply Server::report(const Report& report) {
  if (!counting_) return with_text(Answer::refused, "nothing was counted");
  return counted([&] { counting_->report(report.set); });
}

Server::Called Server::call_one_by_one(std::size_t first, std::size_t count) {
  Called called;
  for (std::size_t slot = first; slot < first + count && called.code == 0 && called.device == 0; ++slot) {
    called.code = candidate_->run(arranged_, slot, 1);
    called.device = side_->separate(called.error);
  }
  return called;
}

/// Everything is only queued, unless the candidate waits: the device waits for the keys.
Server::Called Server::call_sealed(std::size_t first, std::size_t count) {
  Called called;
  const std::span<void* const> pointers(arranged_.pointers);
  // Of no calls `first` may be anything.
  const bool calls = loaded_ && count > 0;
  unsealer_->begin(calls ? pointers.subspan(first * arranged_.arguments) : pointers.first(0), count);
  for (std::size_t call = 0; call < count && called.code == 0 && called.device == 0; ++call) {
    unsealer_->unseal(call);
    called.device = side_->separate(called.error);
    if (called.device != 0) break;
    if (loaded_) called.code = candidate_->run(arranged_, first + call, 1);
    called.device = side_->separate(called.error);
    if (called.code == 0 && called.device == 0) unsealer_->commit(call);
  }
  return called;
}

Reply Server::call(std::size_t first, std::size_t count, CallOrder order) {
  Reply reply;
  side_->begin();
  const auto begin = ticks();
  Called called;
  if (order == CallOrder::sealed) {
    const auto done = attempted([&] { called = call_sealed(first, count); }, Answer::call_error);
    if (done.answer != Answer::ok) called = {0, -1, std::string(done.text.data(), done.text_bytes)};
  } else if (order == CallOrder::one_by_one) {
    called = call_one_by_one(first, count);
  } else if (count > 0 || !loaded_) {
    // A loaded candidate gets no empty batch: it could do the work of the next one there.
    called.code = candidate_->run(arranged_, first, count);
  }
  const bool refused = called.code != 0;
  std::string text = refused ? candidate_->error_text(called.code) : "";
  std::string error_at_end;
  if (const int at_end = side_->finish(error_at_end); called.device == 0) {
    called.device = at_end;
    called.error = std::move(error_at_end);
  }
  if (order == CallOrder::sealed && called.device != 0)
    if (auto missing = unsealer_->missing_key(); !missing.empty()) called.error = std::move(missing);
  reply.ticks = ticks() - begin;
  // Events around nothing can lie a rounding below zero apart, which the judge would take for a forgery.
  reply.device_seconds = std::max(0.0, side_->device_seconds());
  if (!refused && called.device == 0) return reply;
  auto failed = with_text(Answer::call_error, refused ? text : called.error);
  failed.code = refused ? called.code : called.device;
  return failed;
}

/// Makes the workspace for new sizes; its size may depend on nothing else.
bool Server::make_workspace() {
  const std::size_t bytes = loaded_ ? candidate_->workspace_bytes(arranged_.sizes.data()) : 0;
  arranged_.workspace = side_->make_workspace(bytes);
  return bytes == 0 || arranged_.workspace;
}

Reply Server::answer(const Packet& packet, std::size_t bytes, std::span<int> descriptors) {
  OwnedDescriptors owned(descriptors);
  auto reply = carry_out(packet, bytes, owned);
  reply.sequence = packet.header.sequence;
  return reply;
}

Reply Server::carry_out(const Packet& packet, std::size_t bytes, OwnedDescriptors& descriptors) {
  const auto kind = packet.header.kind;
  const std::size_t least = least_bytes_of(kind);
  // A shorter one would be read on in what the packet before it left.
  if (least == 0 || bytes < least || (bytes > least && kind != Kind::arrange))
    return with_text(Answer::refused, "no such message");
  switch (kind) {
    case Kind::load:
      return load(packet.load);
    case Kind::map:
      return map(packet.map, descriptors);
    case Kind::arrange:
      return arrange(packet.arrange, bytes);
    case Kind::go:
      return go(packet.go);
    case Kind::observe:
      return observe(packet.observe);
    case Kind::profile:
      return profile(packet.profile, descriptors.only());
    case Kind::count:
      return count(packet.count);
    case Kind::report:
      return report(packet.report);
    case Kind::prepare_sealed:
      return prepare_sealed(packet.prepare_sealed, descriptors);
    case Kind::open:
      break;
  }
  return with_text(Answer::refused, "no such message");
}

}  // namespace ridgeline::runner
