// Converts core types to JSON and back, in the form of the worker's protocol, the store and `--json` output.
//
// Reading throws ridgeline::Error or nlohmann's exceptions on a document that is not of the type.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline {

void to_json(nlohmann::json& out, const Task& task);
void from_json(const nlohmann::json& in, Task& task);
void to_json(nlohmann::json& out, const Candidate& candidate);
void from_json(const nlohmann::json& in, Candidate& candidate);
void to_json(nlohmann::json& out, const Verdict& verdict);
void from_json(const nlohmann::json& in, Verdict& verdict);
void to_json(nlohmann::json& out, const KernelResources& resources);
void from_json(const nlohmann::json& in, KernelResources& resources);
void to_json(nlohmann::json& out, const QuantizationDistance& distance);
void from_json(const nlohmann::json& in, QuantizationDistance& distance);
void to_json(nlohmann::json& out, const Timing& timing);
void from_json(const nlohmann::json& in, Timing& timing);
void to_json(nlohmann::json& out, const Duration& duration);
void from_json(const nlohmann::json& in, Duration& duration);
void to_json(nlohmann::json& out, const Ceilings& ceilings);
void from_json(const nlohmann::json& in, Ceilings& ceilings);
void to_json(nlohmann::json& out, const Roofline& roofline);
void from_json(const nlohmann::json& in, Roofline& roofline);

/// `dump` that never throws: bytes that are no UTF-8 (compilers and models emit them) are replaced by U+FFFD.
std::string dump_json(const nlohmann::json& document, int indent = -1);

}  // namespace ridgeline
