#include "engine/torch_slim/headers.hpp"

#include <string>

namespace ridgeline::torch_slim {

const Hash& headers_hash() {
  // The texts cannot change while the program runs, and every build asks.
  static const Hash hash = [] {
    std::string all;
    for (const auto* header = headers; header->path; ++header) all += sha256_of({header->path, header->text});
    return sha256(all);
  }();
  return hash;
}

}  // namespace ridgeline::torch_slim
