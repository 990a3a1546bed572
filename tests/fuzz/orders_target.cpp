// Orders to a runner: any packets with any descriptors, to a library's candidate and to an interpreter's. The
// judge is trusted; still no order may make a runner call what is not arranged, or keep a descriptor.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>

#include "engine/worker/runner/counter_sheet.hpp"
#include "engine/worker/runner/python/module_calls.hpp"
#include "engine/worker/runner/python/python_candidate.hpp"
#include "engine/worker/runner/server.hpp"
#include "tests/fuzz/bytes.hpp"
#include "tests/fuzz/lying_interpreter.hpp"
#include "tests/fuzz/target.hpp"

namespace ridgeline::fuzz {
namespace {

using namespace runner;

constexpr std::size_t kMostOrders = 24;
constexpr std::size_t kFileBytes = 65536;

/// Calls nothing and checks what it would call.
class CheckingCandidate final : public runner::Candidate {
 public:
  std::optional<Refusal> load(const char* path) override {
    if (path[0] == 'x') return Refusal{Answer::load_error, std::string(2000, 'e')};
    loaded_ = true;
    return std::nullopt;
  }
  std::size_t workspace_bytes(const std::int64_t* sizes) override {
    require(loaded_, "nothing is asked of a candidate that is not loaded");
    return sizes[0] < 0 ? ~std::size_t{0} >> 1 : static_cast<std::size_t>(sizes[0] % kFileBytes);
  }
  std::optional<Refusal> arrange(const Arrangement& arranged) override {
    if (arranged.int_scalars[0] == 7) return Refusal{Answer::refused, "the job and the arena differ"};
    return std::nullopt;
  }
  int run(const Arrangement& arranged, std::size_t first, std::size_t count) override {
    require(loaded_ || count == 0, "nothing is called that is not loaded");
    require(first <= arranged.slots() || count == 0, "a batch begins at a slot");
    require(count <= arranged.slots(), "a batch has no more slots than are arranged");
    for (std::size_t i = first * arranged.arguments; i < (first + count) * arranged.arguments; ++i)
      require(arranged.pointers.at(i) != nullptr, "every argument of a call is mapped");
    return arranged.int_scalars[1] == 7 ? 700 : 0;
  }
  Refusal observe(std::size_t slot) override { return {Answer::ok, std::string(slot + 2000, 'm')}; }
  std::string error_text(int) override { return std::string(2000, '\xff'); }

 private:
  bool loaded_ = false;
};

/// An interpreter's side that was taken over: it says any code, and any length of its text.
struct Lies {
  int code = 0;
  std::size_t length = 0;
};
Lies lies;

int lie_about(char* text, std::size_t capacity, std::size_t* length) {
  std::memset(text, '\xfe', capacity);
  *length = lies.length;
  return lies.code;
}

/// The module's calls of the order that is under way. Null between two inputs.
python::ModuleCalls* module_calls = nullptr;

/// A job of two outputs in the first argument. Its parts of torch are all the same object.
void give_job() {
  std::array<python::Object*, sizeof(python::TorchParts) / sizeof(python::Object*)> same;
  same.fill(common_object());
  const auto parts = std::bit_cast<python::TorchParts>(same);
  const python::ModuleOutput output{0, 0, 16, common_object(), common_object()};
  const std::array outputs{output, output};
  require(module_calls->take_job(parts, outputs.data(), outputs.size()),
          "a job is taken while it is prepared");
}

const python::Callbacks kLyingCallbacks{
    [](const char*, char* text, std::size_t capacity, std::size_t* length) {
      give_job();
      lie_about(text, capacity, length);
      return 0;
    },
    [](char* text, std::size_t capacity, std::size_t* length) {
      require(module_calls->take_model(common_object(), common_object(), common_object()),
              "a module is taken while it is loaded");
      return lie_about(text, capacity, length);
    },
    [](void* const*, std::size_t slots, std::size_t arguments, const std::int64_t*, const double*,
       const std::int64_t*, char* text, std::size_t capacity, std::size_t* length) {
      require(slots * arguments <= kMaxPointers, "no more views than pointers");
      const python::InterpreterLock lock;
      if (slots * arguments > 0) module_calls->take_slots(common_object());
      return lie_about(text, capacity, length);
    },
    [](std::size_t, std::size_t count, std::size_t, char* text, std::size_t capacity, std::size_t* length) {
      require(count <= kMaxPointers, "a batch has no more slots than can be arranged");
      return lie_about(text, capacity, length);
    },
    [](std::size_t slot, char* text, std::size_t capacity, std::size_t* length) {
      require(slot < kMaxPointers, "a slot that can be arranged");
      return lie_about(text, capacity, length);
    }};

/// Counts nothing; refuses what a counting refuses.
class CheckingCounting final : public Counting {
 public:
  void prepare(std::uint32_t set, FileDescriptor) override { prepared_.at(set) = true; }
  void begin_survey() override {}
  void end_survey(std::uint32_t set) override { check(set); }
  void open(std::uint32_t set) override { check(set); }
  void begin(bool) override {}
  void end(bool) override {}
  void close() override {}
  void report(std::uint32_t set) override { check(set); }
  void begin_spans(std::uint32_t set) override { check(set); }
  void end_spans(std::uint32_t set) override { check(set); }

 private:
  void check(std::uint32_t set) const {
    if (set >= kMaxSets || !prepared_[set]) throw std::runtime_error(std::string(3000, 'n'));
  }
  std::array<bool, kMaxSets> prepared_{};
};

/// Opens nothing; refuses what cannot be opened.
class CheckingUnsealer final : public InputUnsealer {
 public:
  void prepare(FileDescriptor exchange, FileDescriptor memory, std::uint64_t memory_bytes,
               std::uint64_t evicted_bytes) override {
    require(exchange && memory, "both descriptors come");
    if (evicted_bytes > memory_bytes) throw std::runtime_error(std::string(3000, 's'));
    prepared_ = true;
  }
  void begin(std::span<void* const> pointers, std::size_t count) override {
    require(pointers.size() <= kMaxPointers, "no more pointers than can be arranged");
    if (!prepared_ || count > 64) throw std::runtime_error(std::string(3000, 's'));
    begun_ = count;
  }
  void unseal(std::size_t call) override { require(call < begun_, "a call of the batch is opened"); }
  void commit(std::size_t call) override { require(call < begun_, "a call of the batch is committed"); }

 private:
  bool prepared_ = false;
  std::size_t begun_ = 0;
};

int memory_file() {
  static const int file = [] {
    const int made = ::memfd_create("fuzz", MFD_CLOEXEC);
    require(made >= 0 && ::ftruncate(made, kFileBytes) == 0, "a memory file can be made");
    return made;
  }();
  return file;
}

/// Fills the packet, and returns how many bytes of it were sent.
std::size_t take_order(Bytes& bytes, Packet& packet) {
  const auto kind = static_cast<Kind>(bytes.below(12));
  std::memset(static_cast<void*>(&packet), 0, sizeof packet);
  packet.header = {kind, bytes.take<std::uint8_t>()};
  std::size_t sent = sizeof(Header);
  switch (kind) {
    case Kind::load:
      if (bytes.below(4) == 3) packet.load.path.fill('x');
      sent = sizeof(Load);
      break;
    case Kind::map:
      packet.map.place = bytes.number<std::uint32_t>();
      packet.map.how = static_cast<Mapped>(bytes.below(4));
      packet.map.arguments = bytes.number<std::uint32_t>();
      packet.map.memories = bytes.number<std::uint32_t>();
      for (std::size_t i = 0; i < 4; ++i)
        packet.map.bytes[i] =
            bytes.below(4) == 3 ? bytes.number<std::uint64_t>() : 4096 * (1 + bytes.below(16));
      for (std::size_t i = 0; i < 8; ++i) packet.map.memory_of[i] = bytes.number<std::uint16_t>();
      sent = sizeof(Map);
      break;
    case Kind::arrange:
      packet.arrange.slots = bytes.number<std::uint32_t>();
      packet.arrange.arguments = bytes.number<std::uint32_t>();
      packet.arrange.replay = bytes.number<std::uint32_t>();
      packet.arrange.sizes[0] = bytes.number<std::int64_t>();
      packet.arrange.int_scalars[0] = bytes.number<std::int64_t>();
      packet.arrange.int_scalars[1] = bytes.number<std::int64_t>();
      packet.arrange.float_scalars[0] = bytes.real();
      for (std::size_t i = 0; i < 8; ++i) packet.arrange.pointers[i] = bytes.number<std::uint32_t>();
      sent = offsetof(Arrange, pointers) + bytes.below(64) * sizeof(std::uint32_t);
      break;
    case Kind::go:
      packet.go.first = bytes.number<std::uint32_t>();
      packet.go.count = bytes.number<std::uint32_t>();
      packet.go.order = static_cast<CallOrder>(bytes.below(4));
      sent = sizeof(Go);
      break;
    case Kind::observe:
      packet.observe.slot = bytes.number<std::uint32_t>();
      sent = sizeof(Observe);
      break;
    case Kind::profile:
      packet.profile.set = bytes.number<std::uint32_t>();
      sent = sizeof(Profile);
      break;
    case Kind::count:
      packet.count.set = bytes.number<std::uint32_t>();
      packet.count.first = bytes.number<std::uint32_t>();
      packet.count.count = bytes.number<std::uint32_t>();
      packet.count.how = bytes.number<std::uint32_t>();
      sent = sizeof(Count);
      break;
    case Kind::report:
      packet.report.set = bytes.number<std::uint32_t>();
      sent = sizeof(Report);
      break;
    case Kind::prepare_sealed:
      packet.prepare_sealed.memory_bytes = bytes.number<std::uint64_t>();
      packet.prepare_sealed.evicted_bytes = bytes.number<std::uint64_t>();
      sent = sizeof(PrepareSealed);
      break;
    case Kind::open:
      break;
  }
  return bytes.below(16) == 15 ? sizeof(Header) + bytes.below(64) : sent;
}

void check(const Reply& reply, std::uint32_t sequence) {
  require(reply.sequence == sequence, "a reply names its order");
  require(reply.text_bytes <= reply.text.size(), "a text ends within its message");
  require(reply.device_seconds >= 0, "seconds are no less than zero");
}

/// The lowest free descriptor: it is the same after each order.
int lowest_free() {
  const FileDescriptor probe(::fcntl(memory_file(), F_DUPFD_CLOEXEC, 0));
  return probe.get();
}

void run_orders(std::string_view input) {
  Bytes bytes(input);
  const bool interpreter = bytes.below(2) == 1;
  lies = {static_cast<int>(bytes.below(5)), bytes.number<std::size_t>()};
  std::unique_ptr<runner::Candidate> candidate = std::make_unique<CheckingCandidate>();
  begin_interpreter(lies.length);
  std::optional<python::ModuleCalls> calls([](void* to, std::uintptr_t, std::size_t, std::uintptr_t) {
    require(to != nullptr, "a result is copied to a buffer that is mapped");
    return std::string();
  });
  module_calls = &*calls;
  if (interpreter) candidate = python::make_python_candidate(kLyingCallbacks, *calls);
  std::unique_ptr<Counting> counting;
  if (bytes.below(2) == 1) counting = std::make_unique<CheckingCounting>();
  const int free_before = lowest_free();
  {
    Server server(-1, make_host_side(), std::move(candidate), Lockdowns::none,
                  {std::move(counting), std::make_unique<CheckingUnsealer>()});
    const auto packet = std::make_unique<Packet>();
    for (std::size_t order = 0; order < kMostOrders && !bytes.empty(); ++order) {
      const auto sent = take_order(bytes, *packet);
      std::array<int, kMaxMemories> descriptors{};
      const auto passed = bytes.below(8) == 7 ? bytes.below(kMaxMemories + 1) : bytes.below(5);
      for (std::size_t i = 0; i < passed; ++i) descriptors[i] = ::fcntl(memory_file(), F_DUPFD_CLOEXEC, 0);
      const auto sequence = packet->header.sequence;
      check(server.answer(*packet, sent, std::span(descriptors).first(passed)), sequence);
      require(lowest_free() == free_before, "an order's descriptors are closed");
    }
  }
  module_calls = nullptr;
  calls.reset();
  end_interpreter();
}

/// Words for an order of this kind; see take_order for what follows.
std::string order(Kind kind, const std::string& rest, int descriptors) {
  std::string words;
  words += static_cast<char>(kind);
  words += '\1';
  return words + rest + '\0' + '\0' + static_cast<char>(descriptors);
}

std::vector<std::string> seeds_of_orders() {
  const auto load = order(Kind::load, std::string("\0", 1), 0);
  // Two memories of a page, two arguments, one in each.
  const std::string two("\0\0\2\2\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0", 20);
  const auto map = order(Kind::map, two, 2);
  const auto again = order(Kind::map, std::string("\0\2\2\2\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0", 20), 0);
  // Three slots of two arguments.
  const auto arrange = order(Kind::arrange, std::string("\3\2\0\5\0\0\0\0\0\1\1\2\2\0\0\6", 16), 0);
  const auto go = order(Kind::go, std::string("\0\3\0", 3), 0),
             empty = order(Kind::go, std::string("\0\0\0", 3), 0);
  const auto seal = order(Kind::prepare_sealed, std::string("\4\2", 2), 2),
             sealed = order(Kind::go, std::string("\0\3\3", 3), 0);
  const auto observe = order(Kind::observe, "\1", 0);
  const auto profile = order(Kind::profile, std::string("\0", 1), 1);
  const auto count = order(Kind::count, std::string("\0\0\3\3", 4), 0);
  const auto report = order(Kind::report, std::string("\0", 1), 0);
  const auto spans = order(Kind::count, std::string("\0\0\3\x10", 4), 0);
  const std::string library("\0\0\0\1", 4), python("\1\0\0\1", 4), lying("\1\3\xc0\1", 4);
  std::vector<std::string> seeds;
  for (const auto& who : {library, python, lying}) {
    seeds.push_back(who + empty + load + map + arrange + go + observe);
    seeds.push_back(who + profile + load + map + arrange + count + report + go);
    seeds.push_back(who + profile + load + map + arrange + count + report + spans);
    seeds.push_back(who + load + map + again + arrange + go + order(Kind::map, std::string(20, '\0'), 0));
    seeds.push_back(who + arrange + go + observe + count + report);
    seeds.push_back(who + seal + sealed + load + map + arrange + sealed + seal + go);
  }
  // Interpreters whose lies differ: among them are some that let a call come to its copies.
  for (char seed = 1; seed <= 16; ++seed)
    seeds.push_back(std::string{'\1', '\0', seed, '\1'} + load + map + arrange + go + observe + go);
  // Once wrong. A mapping that was refused left its arguments behind, and the arrangement after it read
  // beyond what is mapped; a refused order kept its descriptors.
  seeds.push_back(library + load +
                  order(Kind::map, std::string("\0\2\2\xbf\0\0\0\0\0\0\0\0\xb0\xb0\0\0\0\0\0\0", 20), 0) +
                  arrange + go);
  seeds.push_back(library + order(Kind::map, std::string("\x20\0\2\2", 4) + std::string(16, '\0'), 2));
  seeds.push_back(library + order(Kind::go, std::string("\0\0\0", 3), 3));
  seeds.push_back(library + load +
                  order(Kind::map, std::string("\0\0\2\2\3\0\3\0", 8) + std::string(14, '\0'), 2) + arrange +
                  go);
  seeds.push_back(library + seal + load + map + arrange + order(Kind::go, std::string("\xe7\0\3", 3), 0));
  return seeds;
}

}  // namespace

const Target orders{"orders", run_orders, seeds_of_orders};

}  // namespace ridgeline::fuzz
