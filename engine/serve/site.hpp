// Answers requests for the pages of a store, without a socket. Reads the store and never writes.
//
// Each answer opens its own connection to the store and closes it. Between two requests a running campaign's
// writer is alone with the file, so that its checkpoints are never held up. One thread, except for what
// Comparer runs in the background.
#pragma once

#include "engine/serve/comparer.hpp"
#include "engine/serve/http.hpp"
#include "engine/serve/page.hpp"
#include "engine/serve/routes.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"

namespace ridgeline::serve {

/// Serves the pages of one store.
class Site {
 public:
  /// Borrows `store`, which must be opened read-only and outlive this and everything that `background` runs.
  Site(const store::Store& store, Comparer::Background background, Comparer::Clock clock);

  /// Answers a request. Never throws: an error becomes a page. Accepts only GET, and only for a loopback
  /// host.
  Response respond(const Request& request);

 private:
  /// Parts and their version. The version is "" if the store cannot say whether it changed.
  struct State {
    std::string version;
    Parts parts;
  };

  Response answer(const Overview&);
  Response answer(const OverviewNews& asked);
  Response answer(const TrajectoryPage& asked);
  Response answer(const TrajectoryNews& asked);
  Response answer(const PromptPage& asked);
  Response answer(const Unknown&);
  std::string overview_version(const std::optional<std::string>& mark,
                               const Comparer::Current& comparison) const;
  Parts overview_parts(const Comparer::Current& comparison) const;
  State trajectory_state(store::Id id) const;

  const store::Store& store_;
  Comparer comparer_;
};

}  // namespace ridgeline::serve
