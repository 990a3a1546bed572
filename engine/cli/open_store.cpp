#include "engine/cli/open_store.hpp"

#include "engine/core/error.hpp"
#include "engine/store/reader.hpp"

namespace ridgeline::cli {

store::Store open_store_with_campaigns(const std::string& path) {
  auto store = store::Store::open(path, store::OpenMode::read_only);
  if (store::Reader(store).campaigns().empty())
    throw BadInput(path + " holds no campaign yet: `ridgeline run CONFIG --store " + path + "` fills it");
  return store;
}

}  // namespace ridgeline::cli
