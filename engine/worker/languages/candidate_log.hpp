// Rewrites a compiler's log of a candidate's source, which has the signature check behind it, in terms of
// what its author wrote.
//
// A source that is still open at its end (a brace that is never closed) runs into the check, and the compiler
// reports it there: in lines that no model ever saw.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::languages {

/// Keeps messages about the check that are what it is for: a signature that is not the stub's, an
/// entry point that is not there. Others are consequences of the source's end. They become one message that
/// says what is open there and since where, or that stands at the source's last line; if the source has
/// errors of its own besides, they are left out.
std::string of_candidate(const std::string& log, const Task& task, Language language,
                         std::string_view source);

}  // namespace ridgeline::languages
