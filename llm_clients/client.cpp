#include "llm_clients/client.hpp"

namespace ridgeline {

LlmClient::~LlmClient() = default;

}  // namespace ridgeline
