#include "engine/worker/languages/torch_extension/front_ends/front_ends.hpp"

#include <charconv>
#include <chrono>
#include <exception>
#include <fstream>
#include <iterator>
#include <utility>

namespace ridgeline::front_ends {
namespace {

constexpr std::uint64_t kLeastMemory = std::uint64_t{8} << 30;  // bytes
constexpr std::chrono::seconds kLongestWait{60};                // for a start; a build takes as long
constexpr std::chrono::milliseconds kLook{100};

Said not_there() {
  return {Said::End::unknown, {}, {}, "it is not ready"};
}

std::string meminfo() {
  std::ifstream file("/proc/meminfo");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::uint64_t available_memory(std::string_view meminfo) {
  constexpr std::string_view name = "MemAvailable:";
  const auto at = meminfo.find(name);
  if (at == meminfo.npos) return 0;
  auto number = meminfo.substr(at + name.size());
  number.remove_prefix(std::min(number.find_first_not_of(' '), number.size()));
  std::uint64_t kilobytes = 0;
  std::from_chars(number.data(), number.data() + number.size(), kilobytes);
  return kilobytes << 10;
}

FrontEnds::FrontEnds(Tools tools, std::function<void(std::string)> log)
    : tools_(std::move(tools)), log_(std::move(log)), workshop_(tools_.settings) {}

FrontEnds::~FrontEnds() {
  wind_down();
}

void FrontEnds::wind_down() {
  stop_ = true;
  changed_.notify_all();
  std::thread thread;
  {
    const std::lock_guard lock(mutex_);
    thread = std::move(thread_);
  }
  if (thread.joinable()) thread.join();
}

bool FrontEnds::begin() {
  const std::lock_guard lock(mutex_);
  if (main_ != Standing::idle || stop_) return false;
  main_ = cuda_ = Standing::starting;
  thread_ = std::thread([this] { run(); });
  return true;
}

bool FrontEnds::settled() const {
  return main_ != Standing::starting && cuda_ != Standing::starting;
}

std::string FrontEnds::warm_up() {
  begin();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return settled() || stop_; });
  return why_off_;
}

Checked FrontEnds::check(const torch_extension::ExtensionRequest& request,
                         const torch_extension::ExtensionFlags& flags) {
  if (!begin()) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kLongestWait, [&] { return cuda_ != Standing::starting || stop_; });
  }
  return front_ends::check(request, flags, *this);
}

Said FrontEnds::parse_main(const std::string& text, const std::string& module) {
  std::optional<HostHeader> header;
  {
    const std::lock_guard lock(mutex_);
    if (main_ == Standing::ready && !stop_) header = header_;
  }
  return header ? parse_behind(*header, workshop_, tools_, text, module) : not_there();
}

std::shared_ptr<HeldPair> FrontEnds::pair() {
  const std::lock_guard lock(mutex_);
  return cuda_ == Standing::ready && !stop_ ? pair_ : nullptr;
}

Said FrontEnds::expand(const std::string& text) {
  const auto both = pair();
  return both ? both->expansion->ask(text) : not_there();
}

Said FrontEnds::parse(const std::string& text) {
  const auto both = pair();
  return both ? both->parser->ask(text) : not_there();
}

void FrontEnds::set(Standing& part, Standing to, const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    part = to;
    if (to == Standing::off && !why.empty()) why_off_ += (why_off_.empty() ? "" : "; ") + why;
  }
  changed_.notify_all();
  // A worker that stops ends what starts here, and the reason given then is not the true one.
  if (!why.empty() && !stop_) log_("front ends: " + why);
}

void FrontEnds::run() {
  const auto part = [this](Standing& standing, void (FrontEnds::*start)()) {
    try {
      (this->*start)();
    } catch (const std::exception& error) {
      set(standing, Standing::off, error.what());
    }
  };
  if (available_memory(meminfo()) < kLeastMemory) {
    set(main_, Standing::off, "off, since less than 8 GB of memory are free");
    set(cuda_, Standing::off, "");
    return;
  }
  part(cuda_, &FrontEnds::start_pair);
  part(main_, &FrontEnds::start_header);
  part(cuda_, &FrontEnds::stay);
}

void FrontEnds::start_pair() {
  if (tools_.toolchain.program.empty()) return set(cuda_, Standing::off, "");
  std::string why;
  const auto headers = cuda_headers(workshop_, tools_, stop_, why);
  if (!headers) return set(cuda_, Standing::off, why);
  auto started = std::make_shared<HeldPair>(hold(*headers, tools_, stop_));
  if (const auto words = distrust(*started, *headers); !words.empty())
    return set(cuda_, Standing::off, words);
  {
    const std::lock_guard lock(mutex_);
    pair_ = std::move(started);
  }
  set(cuda_, Standing::ready, "");
}

void FrontEnds::start_header() {
  std::string why;
  auto header = find_host_header(workshop_, tools_);
  if (!header) header = make_host_header(workshop_, tools_, stop_, why);
  if (!header) return set(main_, Standing::off, why);
  if (const auto words = distrust(*header, workshop_, tools_); !words.empty())
    return set(main_, Standing::off, words);
  {
    const std::lock_guard lock(mutex_);
    header_ = std::move(header);
  }
  set(main_, Standing::ready, "");
}

/// The processes end with the thread that started them, so it stays as long as they are wanted.
void FrontEnds::stay() {
  const auto both = pair();
  while (both && !stop_) {
    if (!both->look()) {
      set(cuda_, Standing::off, "a held front end has ended; builds go on without");
      break;
    }
    std::this_thread::sleep_for(kLook);
  }
  if (!both) return;
  {
    const std::lock_guard lock(mutex_);
    cuda_ = Standing::off;
    pair_.reset();
  }
  // Who asks one now hears that it has ended.
  both->expansion->end();
  both->parser->end();
}

}  // namespace ridgeline::front_ends
