// The pages of a store: from a request to its answer, without a socket. Reads the store and never writes.
//
// Each answer opens a connection of its own and closes it, so that between two requests the store's writer is
// alone with its file. One thread, but for what Comparer runs in the background.
#pragma once

#include "engine/serve/comparer.hpp"
#include "engine/serve/http.hpp"
#include "engine/serve/page.hpp"
#include "engine/serve/routes.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"

namespace ridgeline::serve {

class Site {
 public:
  /// `store` was opened read_only and outlives this and what `background` runs.
  Site(const store::Store& store, Comparer::Background background, Comparer::Clock clock);

  /// Never throws: what goes wrong is a page. Only GET, and only for a host of a loopback name.
  Response respond(const Request& request);

 private:
  /// Parts as of a version, which is "" where the store may change without showing it.
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
