#include "engine/worker/runner/python/python_candidate.hpp"

#include <algorithm>
#include <array>

namespace ridgeline::runner::python {
namespace {

constexpr int kNoEntryPoint = 2, kKernel = 3;

class PythonCandidate final : public Candidate {
 public:
  PythonCandidate(const Callbacks& callbacks, ModuleCalls& calls) : callbacks_(callbacks), calls_(calls) {
    calls_.begin(Phase::none);
  }

  std::optional<Refusal> prepare(const char* path) override {
    const During during(calls_, Phase::prepare);
    const int code = callbacks_.prepare(path, text_.data(), text_.size(), forget_text());
    if (code == 0) return std::nullopt;
    return Refusal{Answer::load_error, text()};
  }

  std::optional<Refusal> load(const char*) override {
    const During during(calls_, Phase::load);
    const int code = callbacks_.load(text_.data(), text_.size(), forget_text());
    kernel_ = code == kKernel;
    if (code == 0 || kernel_) return std::nullopt;
    return Refusal{code == kNoEntryPoint ? Answer::no_entry_point : Answer::load_error, text()};
  }

  bool capturable() const override { return kernel_; }

  std::optional<Refusal> arrange(const Arrangement& arranged) override {
    calls_.place(arranged.pointers.data(), arranged.arguments);
    const During during(calls_, Phase::arrange);
    const int code =
        callbacks_.arrange(arranged.pointers.data(), arranged.slots(), arranged.arguments,
                           arranged.sizes.data(), arranged.float_scalars.data(), arranged.int_scalars.data(),
                           text_.data(), text_.size(), forget_text());
    if (code == 0) return std::nullopt;
    return Refusal{Answer::refused, text()};  // the job and the arena differ: never a candidate's fault
  }

  void release_memory() override {
    const During during(calls_, Phase::arrange);
    callbacks_.arrange(nullptr, 0, 0, nullptr, nullptr, nullptr, text_.data(), text_.size(), forget_text());
  }

  int run(const Arrangement& arranged, std::size_t first, std::size_t count) override {
    if (!kernel_) {
      module_text_.clear();
      return calls_.run(first, count, module_text_);
    }
    const auto stream = reinterpret_cast<std::uintptr_t>(arranged.stream);
    return callbacks_.run(first, count, stream, text_.data(), text_.size(), forget_text());
  }

  Refusal observe(std::size_t slot) override {
    const During during(calls_, Phase::observe);
    const int code = callbacks_.observe(slot, text_.data(), text_.size(), forget_text());
    return {code == 0 ? Answer::ok : Answer::call_error, text()};
  }

  std::string error_text(int) override { return kernel_ ? text() : module_text_; }

 private:
  /// Sets the phase until it is destroyed.
  class During {
   public:
    During(ModuleCalls& calls, Phase phase) : calls_(calls) { calls_.begin(phase); }
    During(const During&) = delete;  // it ends the phase once
    During& operator=(const During&) = delete;
    ~During() { calls_.begin(Phase::none); }

   private:
    ModuleCalls& calls_;
  };

  std::size_t* forget_text() {
    length_ = 0;
    return &length_;
  }
  /// Bounds the length, whatever the other side says of it: it is no longer ours.
  std::string text() const { return {text_.data(), std::min(length_, text_.size())}; }

  const Callbacks& callbacks_;
  ModuleCalls& calls_;
  std::string module_text_;  // of the last failure of a module
  std::array<char, kMaxText> text_{};
  std::size_t length_ = 0;
  bool kernel_ = false;
};

}  // namespace

std::unique_ptr<Candidate> make_python_candidate(const Callbacks& callbacks, ModuleCalls& calls) {
  return std::make_unique<PythonCandidate>(callbacks, calls);
}

}  // namespace ridgeline::runner::python
