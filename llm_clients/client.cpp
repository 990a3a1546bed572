#include "llm_clients/client.hpp"

namespace ridgeline::llm {

LlmClient::~LlmClient() = default;

}  // namespace ridgeline::llm
