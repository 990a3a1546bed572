// Holds the stand-ins for torch's headers as texts that are compiled into the worker, so that a binary needs
// no folder beside it. README.md says what they promise.
#pragma once

#include "engine/core/hash.hpp"

namespace ridgeline::torch_slim {

/// The torch whose names, signatures and messages the stand-ins follow.
inline constexpr const char* torch_version = "2.11";

struct Header {
  const char* path;  ///< below an include folder: "torch/extension.h"
  const char* text;
};

/// The files of headers/, ended by nulls. The compiled half is "torch_slim/runtime/runtime.cpp".
extern const Header headers[];

/// The hash of all paths and texts, which is part of the key of whatever is built with them.
const Hash& headers_hash();

}  // namespace ridgeline::torch_slim
