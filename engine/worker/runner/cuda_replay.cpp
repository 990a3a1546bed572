#include <array>
#include <string>
#include <utility>

#include "engine/cuda/driver.hpp"
#include "engine/worker/runner/candidate.hpp"

namespace ridgeline::runner {
namespace {

using cuda::driver;

/// A graph of `calls` calls, ready to launch; null if there is none.
struct Graph {
  std::size_t calls = 0;
  CUgraphExec ready = nullptr;
};

// Captures batches as graphs. A capture fixes pointers, so graphs are made anew at each arrangement. It runs
// nothing, and buffers are filled after it: work that a candidate puts on a stream of its own runs during the
// capture alone, is missing in every replay, and the judge sees wrong outputs.
class Replayed final : public Candidate {
 public:
  explicit Replayed(std::unique_ptr<Candidate> candidate) : candidate_(std::move(candidate)) {}

  std::optional<Refusal> prepare(const char* path) override { return candidate_->prepare(path); }
  std::optional<Refusal> load(const char* path) override { return candidate_->load(path); }
  std::size_t workspace_bytes(const std::int64_t* sizes) override {
    return candidate_->workspace_bytes(sizes);
  }
  bool capturable() const override { return candidate_->capturable(); }
  std::string error_text(int code) override { return candidate_->error_text(code); }
  Refusal observe(std::size_t slot) override { return candidate_->observe(slot); }

  /// Drops the graphs, which hold addresses of memory that is no longer mapped.
  void release_memory() override {
    for (auto& graph : graphs_) drop(graph);
    candidate_->release_memory();
  }

  std::optional<Refusal> arrange(const Arrangement& arranged) override {
    for (auto& graph : graphs_) drop(graph);
    if (auto refusal = candidate_->arrange(arranged);
        refusal || arranged.replay == 0 || !candidate_->capturable())
      return refusal;
    for (std::size_t i = 0; i < graphs_.size(); ++i)
      if (auto why = make(graphs_[i], arranged, (i + 1) * arranged.replay); !why.empty()) {
        for (auto& graph : graphs_) drop(graph);
        return Refusal{Answer::ok, std::move(why)};
      }
    return std::nullopt;
  }

  int run(const Arrangement& arranged, std::size_t first, std::size_t count) override {
    for (const auto& graph : graphs_)
      if (graph.ready && graph.calls == count) return driver().cuGraphLaunch(graph.ready, stream_);
    return candidate_->run(arranged, first, count);
  }

 private:
  static void drop(Graph& graph) {
    if (graph.ready) driver().cuGraphExecDestroy(graph.ready);
    graph = {};
  }

  /// Makes a graph. Returns "", or why there is none.
  std::string make(Graph& graph, const Arrangement& arranged, std::size_t calls) {
    if (calls > arranged.slots()) return "fewer calls are arranged than a graph is to have";
    // A blocking stream: a launch on the legacy stream then ends the capture with an error. Beside a
    // non-blocking stream it would escape the capture unnoticed.
    if (!stream_)
      if (const auto error = driver().cuStreamCreate(&stream_, CU_STREAM_DEFAULT))
        return cuda::error_text(error);
    if (const auto error = driver().cuStreamBeginCapture(stream_, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL))
      return cuda::error_text(error);
    auto captured = arranged;
    captured.stream = stream_;
    const int code = candidate_->run(captured, 0, calls);
    const auto said = code != 0 ? candidate_->error_text(code) : std::string();
    CUgraph recorded = nullptr;
    const auto ended = driver().cuStreamEndCapture(stream_, &recorded);
    if (ended != CUDA_SUCCESS) return said.empty() ? cuda::error_text(ended) : said;
    auto why = code != 0 ? said : ready(graph, recorded, calls);
    driver().cuGraphDestroy(recorded);
    return why;
  }

  std::string ready(Graph& graph, CUgraph recorded, std::size_t calls) {
    std::size_t nodes = 0;
    if (const auto error = driver().cuGraphGetNodes(recorded, nullptr, &nodes))
      return cuda::error_text(error);
    // Each call launches something. Fewer nodes than calls mean that work went elsewhere.
    if (nodes < calls) return "its calls put nothing on the stream that they are given";
    if (const auto error = driver().cuGraphInstantiateWithFlags(&graph.ready, recorded, 0))
      return cuda::error_text(error);
    if (const auto error = driver().cuGraphUpload(graph.ready, stream_)) return cuda::error_text(error);
    graph.calls = calls;
    return {};
  }

  std::unique_ptr<Candidate> candidate_;
  CUstream stream_ = nullptr;
  std::array<Graph, 2> graphs_;  // of K and of 2K calls
};

}  // namespace

std::unique_ptr<Candidate> make_replayed(std::unique_ptr<Candidate> candidate) {
  return std::make_unique<Replayed>(std::move(candidate));
}

}  // namespace ridgeline::runner
