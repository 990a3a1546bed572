// The stand-ins for torch's headers, compiled into the worker and laid out in the cache.
#pragma once

#include <filesystem>

#include "engine/core/hash.hpp"
#include "engine/worker/languages/build_cache.hpp"
#include "engine/worker/languages/workshop.hpp"

namespace ridgeline {

struct SlimHeader {
  const char* path;  // below an include folder: "torch/extension.h"
  const char* text;
};

/// The files of headers/, ended by nulls.
extern const SlimHeader slim_headers[];

/// Of all paths and texts: part of the key of what is built with them.
const Hash& slim_headers_hash();

struct HeaderFolder {
  std::filesystem::path path;
  BuildHold hold;
};

/// Their folder in the cache, written unless it is there. Throws MachineCannot.
HeaderFolder lay_out_slim_headers(const Workshop& workshop);

}  // namespace ridgeline
