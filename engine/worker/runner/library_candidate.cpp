#include "engine/worker/runner/candidate.hpp"
#include "engine/worker/runner/fault_report.hpp"
#include "engine/worker/runner/library.hpp"

namespace ridgeline::runner {
namespace {

class LibraryCandidate final : public Candidate {
 public:
  std::optional<Refusal> load(const char* path) override {
    library_ = load_library(path);
    if (!library_.error.empty()) return Refusal{Answer::load_error, library_.error};
    if (!library_.missing.empty()) return Refusal{Answer::no_entry_point, library_.missing};
    set_candidate_range(library_.load_address, library_.end);
    return std::nullopt;
  }

  std::size_t workspace_bytes(const std::int64_t* sizes) override {
    return library_.workspace ? library_.workspace(sizes) : 0;
  }

  /// Stops at the first error: the judge would blame a later call for what an earlier one did.
  int run(const Arrangement& arranged, std::size_t first, std::size_t count) override {
    int code = 0;
    for (std::size_t slot = first; slot < first + count && code == 0; ++slot)
      code = library_.call(&arranged.pointers[slot * arranged.arguments], arranged.sizes.data(),
                           arranged.float_scalars.data(), arranged.int_scalars.data(), arranged.workspace,
                           arranged.stream);
    return code;
  }

  std::string error_text(int code) override { return library_.error_text ? library_.error_text(code) : ""; }

 private:
  LoadedLibrary library_;
};

}  // namespace

std::unique_ptr<Candidate> make_library_candidate() {
  return std::make_unique<LibraryCandidate>();
}

}  // namespace ridgeline::runner
