#include "llm_clients/resolved_entry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.hpp"

namespace ridgeline::llm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const char* variables(const char* name) {
  const std::string_view asked = name;
  if (asked == "AZURE_KEY") return "azure-secret-1";
  if (asked == "SECOND_KEY") return "second-secret";
  if (asked == "OPENAI_API_KEY") return "usual-secret";
  if (asked == "TORN") return "a\r\nX: y";
  return nullptr;
}

TEST(ResolvedEntry, ReplacesVariablesInHeadersAndRedactsThem) {
  Model model;
  model.name = "m";
  model.base_url = "https://x.azure/openai/deployments/d?api-version=1";
  model.headers = {{"api-key", "k ${AZURE_KEY}"}, {"X-Title", "kernels of ours"}};
  const auto entry = resolve_entry(model, variables);
  ASSERT_EQ(entry.addresses.size(), 1u);
  EXPECT_EQ(entry.addresses[0].model.headers[0].second, "k azure-secret-1");
  EXPECT_EQ(entry.addresses[0].key.key(), "") << "the usual key is not sent to who asks for another";
  EXPECT_THAT(entry.secrets, ElementsAre("azure-secret-1", "k azure-secret-1"));
  model.headers = {{"api-key", "${TORN}"}};
  EXPECT_THAT([&] { resolve_entry(model, variables); },
              ThrowsMessage<BadInput>(HasSubstr("headers.api-key")));
}

TEST(ResolvedEntry, EachEndpointHasItsAddressAndKey) {
  Model model;
  model.name = "m";
  model.endpoints = {{"https://a/v1", "", ""}, {"https://b/v1", "SECOND_KEY", ""}};
  const auto entry = resolve_entry(model, variables);
  ASSERT_EQ(entry.addresses.size(), 2u);
  EXPECT_EQ(entry.addresses[0].key.key(), "usual-secret");
  EXPECT_EQ(entry.addresses[1].key.key(), "second-secret");
  EXPECT_EQ(entry.addresses[1].model.base_url, "https://b/v1");
  model.endpoints[1].base_url = "htp://b";
  EXPECT_THAT([&] { resolve_entry(model, variables); },
              ThrowsMessage<BadInput>(HasSubstr("models.m.endpoints.1.base_url")));
}

}  // namespace
}  // namespace ridgeline::llm
