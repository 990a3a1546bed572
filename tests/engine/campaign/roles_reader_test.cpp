#include "engine/campaign/roles_reader.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engine/campaign/plan.hpp"
#include "tests/engine/campaign/config_files.hpp"

namespace ridgeline::campaign {
namespace {

class RolesReaderTest : public ConfigReader {};

TEST_F(RolesReaderTest, RefusesARoleThatNobodyPlays) {
  const auto starts = [&](const std::string& text, const std::string& begin) {
    EXPECT_EQ(error_of(text).rfind(begin, 0), 0u) << error_of(text);
  };
  starts(with(good, "generator: fast", "generater: fast"),
         "trial.yaml:11:9: unknown key 'generater' in roles; did you mean 'generator'?");
  starts(with(good, "critic: judge", "critc: judge"),
         "trial.yaml:11:26: unknown key 'critc' in roles; did you mean 'critic'?");
  const auto geak = with(good, "strategy: best_of_n\n    settings: {n: 3}",
                         "strategy: geak\n    settings: {critic: reflector}");
  starts(geak,
         "trial.yaml:4:24: the strategy 'geak' names the role 'reflector' as its critic, and no such role is "
         "under "
         "roles (known: generator, critic)");
  EXPECT_EQ(model_of_first(read(with(geak, "critic: judge", "reflector: judge")), "reflector"), "judge");
  starts(with(geak, "critic: judge", "reflectr: judge"),
         "trial.yaml:4:24: the strategy 'geak' names the role");
  const std::string alone = with(with(geak, "roles: {generator: fast, critic: judge}\n", ""),
                                 "  judge: {provider: mailbox, path: box}\n", "");
  starts(alone, "trial.yaml:4:24: the strategy 'geak' names the role 'reflector'");
  EXPECT_EQ(model_of_first(read(with(alone, "critic: reflector", "critic: critic")), "critic"), "fast");
}

TEST_F(RolesReaderTest, AStrategyMayNameItsOwnModels) {
  const auto own = with(good, "label: chain", "label: chain\n    roles: {generator: judge}");
  const auto config = read(own);
  EXPECT_EQ(config.model_for_role(config.strategies[0], "generator").name, "fast");
  EXPECT_EQ(config.model_for_role(config.strategies[1], "generator").name, "judge");
  EXPECT_EQ(config.model_for_role(config.strategies[1], "").name, "judge");
  EXPECT_EQ(config.model_for_role(config.strategies[1], "critic").name, "judge") << "the campaign's critic";

  const auto geak = with(good, "strategy: best_of_n\n    settings: {n: 3}",
                         "strategy: geak\n    settings: {critic: reflector}\n    roles: {reflector: judge}");
  const auto critic = read(geak);
  EXPECT_EQ(critic.model_for_role(critic.strategies[0], "reflector").name, "judge");
  EXPECT_EQ(critic.roles_asked_by(critic.strategies[0]), (std::set<std::string>{"generator", "reflector"}));
}

TEST_F(RolesReaderTest, ACampaignNeedsNoRolesWhereEachStrategyNamesItsModel) {
  auto each = with(good, "roles: {generator: fast, critic: judge}\n", "");
  EXPECT_NE(error_of(each).find("several models and no roles: say which is the generator, here or of each "
                                "strategy"),
            std::string::npos);
  each = with(each, "settings: {n: 3}", "settings: {n: 3}\n    roles: {generator: judge}");
  EXPECT_NE(error_of(each).find("several models and no roles"), std::string::npos) << "one names none";
  each = with(each, "label: chain", "label: chain\n    roles: {generator: fast}");
  const auto config = read(each);
  EXPECT_EQ(config.model_for_role(config.strategies[0], "generator").name, "judge");
  EXPECT_EQ(config.model_for_role(config.strategies[1], "generator").name, "fast");
}

TEST_F(RolesReaderTest, ThePlanNamesTheModelsThatAreAsked) {
  const auto plan_of = [&](const std::string& text) {
    const auto config = read(text);
    Task task;
    task.name = "t";
    return describe(make_plan(config, {{task}, {}}), config);
  };
  const auto one = with(good, "label: chain", "label: chain\n    roles: {generator: judge}");
  EXPECT_NE(plan_of(one).find("\n  generator = fast ("), std::string::npos) << plan_of(one);
  EXPECT_NE(plan_of(one).find("\n  generator of chain = judge ("), std::string::npos) << plan_of(one);
  const auto each = with(one, "settings: {n: 3}", "settings: {n: 3}\n    roles: {generator: judge}");
  EXPECT_EQ(plan_of(each).find("\n  generator = "), std::string::npos) << "nobody asks the campaign's";
}

TEST_F(RolesReaderTest, RefusesARoleThatItsStrategyDoesNotAsk) {
  const auto with_roles = [&](const std::string& roles) {
    return error_of(with(good, "label: chain", "label: chain\n    roles: {" + roles + "}"));
  };
  EXPECT_EQ(with_roles("generater: fast").rfind("trial.yaml:7:13: unknown key 'generater'", 0), 0u)
      << with_roles("generater: fast");
  EXPECT_EQ(with_roles("critic: judge").rfind("trial.yaml:7:13: unknown key 'critic'", 0), 0u)
      << with_roles("critic: judge");
  EXPECT_EQ(with_roles("generator: slow").rfind("trial.yaml:7:24: no model 'slow' under models", 0), 0u)
      << with_roles("generator: slow");
}

}  // namespace
}  // namespace ridgeline::campaign
