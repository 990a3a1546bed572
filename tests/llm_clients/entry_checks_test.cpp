#include "llm_clients/entry_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"

namespace ridgeline::llm {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

const char* look_up(const char* name) {
  return std::string_view(name) == "TOKEN" ? "hunter2hunter2" : nullptr;
}

TEST(EntryChecks, ReplacesVariablesInTexts) {
  EXPECT_EQ(with_variables("Bearer ${TOKEN}!", "headers.A", look_up), "Bearer hunter2hunter2!");
  EXPECT_EQ(with_variables("${TOKEN}${TOKEN}", "headers.A", look_up), "hunter2hunter2hunter2hunter2");
  EXPECT_EQ(with_variables("no $variable {here}", "headers.A", look_up), "no $variable {here}");
  EXPECT_THAT([] { with_variables("${OTHER}", "headers.A", look_up); },
              ThrowsMessage<BadInput>(AllOf(HasSubstr("headers.A"), HasSubstr("export OTHER="))));
  EXPECT_THAT([] { with_variables("${TOKEN", "headers.A", look_up); },
              ThrowsMessage<BadInput>(HasSubstr("write ${NAME}")));
  EXPECT_THAT([] { with_variables("${sk-0123456789abcdef}", "headers.A", look_up); },
              ThrowsMessage<BadInput>(Not(HasSubstr("sk-0"))));
}

TEST(EntryChecks, AcceptsOnlyNamesOfVariables) {
  for (const char* name : {"", "A", "_x", "OPENAI_API_KEY", "key2", "MY_VERY_LONG_NAME_OF_A_VARIABLE_2024"})
    EXPECT_EQ(variable_problem(name), "") << name;
  for (const char* name : {"2X", "A B", "A-B", "A=B", "sk-1", "x\n", "sk_live_0123456789abc",
                           "AIzaSyD0123456789abcdef", "a1b2c3d4e5f60718293a4b5c6d7e8f90"})
    EXPECT_NE(variable_problem(name), "") << name;
}

TEST(EntryChecks, ExtraMayAddKeysAndNotReplaceOurs) {
  EXPECT_EQ(extra_problem(Provider::openai_chat, json{{"top_p", 0.9}, {"stream_options", nullptr}}), "");
  EXPECT_NE(extra_problem(Provider::openai_chat, json{{"messages", nullptr}}), "") << "null takes it out";
  EXPECT_NE(extra_problem(Provider::openai_chat, json::array()), "");
  EXPECT_NE(extra_problem(Provider::gemini, json{{"generationConfig", nullptr}}), "");
  EXPECT_NE(extra_problem(Provider::gemini, json{{"generationConfig", {{"candidateCount", 2}}}}), "");
  EXPECT_EQ(extra_problem(Provider::gemini, json{{"generationConfig", {{"thinkingConfig", {{"x", 1}}}}}}),
            "");
}

TEST(EntryChecks, RefusesAKeyInAnAddress) {
  EXPECT_EQ(query_problem("https://h/v1?api-version=2024-10-21&x="), "");
  for (const char* url : {"https://h/v1?key=abc", "https://h/v1?a=b&API_KEY=abc", "https://h/?token=x"})
    EXPECT_NE(query_problem(url), "") << url;
}

}  // namespace
}  // namespace ridgeline::llm
