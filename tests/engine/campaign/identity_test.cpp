// Tests which keys of a model entry count as part of a trajectory's identity.
#include "engine/campaign/identity.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ridgeline::campaign {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

std::string document_with(Headers headers) {
  CampaignConfig config;
  llm::Model model;
  model.name = "m";
  model.id = "x";
  model.headers = std::move(headers);
  config.models = {model};
  return model_documents(config).at("m");
}

TEST(ModelDocument, AnotherHeaderOrValueIsAnotherModel) {
  const auto document = document_with({{"X-Beta", "one"}});
  EXPECT_NE(document, document_with({}));
  EXPECT_NE(document, document_with({{"X-Beta", "two"}}));
  EXPECT_NE(document, document_with({{"X-Other", "one"}}));
  EXPECT_EQ(document, document_with({{"x-beta", "one"}})) << "HTTP compares names without case";
  const auto found = differences(document, document_with({{"X-Beta", "two"}}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].path, "headers.x-beta");
}

TEST(ModelDocument, HoldsNoValueOfAHeader) {
  const auto document = document_with({{"X-Beta", "a-secret-value"}, {"X-User", "Bearer ${SOME_VARIABLE}"}});
  for (const char* part : {"a-secret-value", "SOME_VARIABLE", "Bearer"})
    EXPECT_EQ(document.find(part), std::string::npos) << document;
}

TEST(ModelDocument, LeavesOutAKeyFromTheEnvironment) {
  EXPECT_EQ(document_with({{"api-key", "Bearer ${OLD_KEY}"}}),
            document_with({{"api-key", "Bearer ${NEW_KEY}"}}));
  EXPECT_NE(document_with({{"api-key", "Bearer ${OLD_KEY}"}}),
            document_with({{"api-key", "Basic ${OLD_KEY}"}}));
}

/// Stores from before headers counted hold such documents: a campaign without headers goes on in them.
TEST(ModelDocument, HasNoKeyForHeadersIfThereAreNone) {
  EXPECT_FALSE(nlohmann::json::parse(document_with({})).contains("headers"));
}

}  // namespace
}  // namespace ridgeline::campaign
