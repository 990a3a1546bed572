#include "prompts/templates.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "engine/core/error.hpp"
#include "prompts/variables.hpp"
#include "tests/prompts/fixtures.hpp"

namespace ridgeline::prompts {
namespace {

namespace fs = std::filesystem;

std::string complaint(const std::function<void()>& act) {
  try {
    act();
  } catch (const BadInput& error) {
    return error.what();
  }
  return "nothing was refused";
}

std::string rendered(const std::string& text, const std::map<std::string, std::string>& values) {
  return Template::parse("t.md", text)
      .user([&](const Template::Use& use) { return values.at(use.name); })
      .text;
}

/// The part that counts as stable, where the variables that begin with "new" change.
std::string stable_part(const std::string& text, const std::map<std::string, std::string>& values) {
  const auto user = Template::parse("t.md", text).user([&](const Template::Use& use) {
    return Template::Value(values.at(use.name), use.name.starts_with("new"));
  });
  return user.text.substr(0, user.stable_bytes);
}

class Overrides : public ::testing::Test {
 protected:
  Overrides()
      : folder(fs::temp_directory_path() /
               ("ridgeline-prompts-" + std::to_string(::getpid()) + "-" +
                ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(folder);
  }
  ~Overrides() override { fs::remove_all(folder); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }
  std::string refusal() const {
    return complaint([&] { Templates::with_overrides(folder); });
  }

  fs::path folder;
};

TEST(Templates, HaveRulesForEveryLanguageFormAndBackend) {
  const auto templates = Templates::built_in();
  for (const auto& known : languages_known)
    for (const auto form : known.forms)
      for (const auto backend : known.backends) {
        const auto name = templates.part_for("rules", known.language, form, std::string(backend));
        EXPECT_TRUE(templates.has("common/" + name)) << "prompts/common/" << name << ".md is missing";
      }
}

TEST(Template, FillsVariablesAndLeavesTheRest) {
  EXPECT_EQ(rendered("a {{x}} b{{y}}{{x}}, { } {x}\n", {{"x", "1"}, {"y", "2"}}), "a 1 b21, { } {x}");
}

TEST(Template, ValuesAreNotTemplates) {
  EXPECT_EQ(rendered("{{x}}", {{"x", "{{y}} # user\n# system"}}), "{{y}} # user\n# system");
}

TEST(Template, ALineOfOneEmptyVariableVanishesWithTheBlankLineAfterIt) {
  EXPECT_EQ(rendered("a\n\n{{x}}\n\nb\n", {{"x", ""}}), "a\n\nb");
  EXPECT_EQ(rendered("a\n\n{{x}}\n\nb\n", {{"x", "v"}}), "a\n\nv\n\nb");
  EXPECT_EQ(rendered("- {{x}}\nb\n", {{"x", ""}}), "- \nb");
}

TEST(Template, PartsBeginWithTheirMarkers) {
  const auto one = Template::parse("t.md", "\n# system\n\nbe brief\n\n# user\n\n{{x}}\n# heading\n");
  const auto value = [](const Template::Use&) { return std::string("v"); };
  EXPECT_TRUE(one.is_prompt());
  EXPECT_EQ(one.system(value), "be brief");
  EXPECT_EQ(one.user(value).text, "v\n# heading");
  EXPECT_FALSE(Template::parse("p.md", "a part\n").is_prompt());
}

TEST(Template, TheStablePartEndsBeforeTheFirstVariableThatChanges) {
  const std::map<std::string, std::string> values{{"task", "sum"}, {"new_source", "code"}, {"new_none", ""}};
  EXPECT_EQ(stable_part("\n{{task}}\n\nrules\n\n{{new_source}}\n\n{{task}}\n", values), "sum\n\nrules");
  EXPECT_EQ(stable_part("{{task}}\n\n{{new_none}}\n\nanswer\n", values), "sum")
      << "another request has text there";
  EXPECT_EQ(stable_part("{{task}}\nimprove {{new_source}}\n", values), "sum");
  EXPECT_EQ(stable_part("{{new_source}}\n{{task}}\n", values), "");
  EXPECT_EQ(stable_part("{{task}}\nanswer\n", values), "sum\nanswer");
}

TEST(Template, MistakesNameFileAndLine) {
  const auto refuse = [](const std::string& text) {
    return complaint([&] { Template::parse("t.md", text); });
  };
  EXPECT_EQ(refuse("a\n{{x\n"), "t.md:2: \"{{\" without \"}}\" on its line");
  EXPECT_EQ(refuse("{{ x }}").rfind("t.md:1: \"{{ x }}\" is no variable", 0), 0u);
  EXPECT_EQ(refuse("{{}}").rfind("t.md:1: ", 0), 0u);
  EXPECT_EQ(refuse("hello\n# user\nx").rfind("t.md:1: text before", 0), 0u);
  EXPECT_EQ(refuse("# user\nx\n# user\n"), "t.md:3: \"# user\" stands once");
  EXPECT_EQ(refuse("# user\nx\n# system\n"), "t.md:3: \"# system\" stands once, and first");
  EXPECT_EQ(refuse("# system\nx\n"), "t.md:2: there is no \"# user\" part");
  EXPECT_EQ(refuse("  \n"), "t.md:1: the template is empty");
}

TEST(BuiltInTemplates, AreTheFilesOfTheRepository) {
  const auto set = Templates::built_in();
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(std::string(RIDGELINE_SOURCE_DIR) + "/prompts")) {
    if (entry.path().extension() != ".md") continue;
    ++files;
    const auto name = entry.path().parent_path().filename().string() + "/" + entry.path().stem().string();
    EXPECT_NO_THROW(set.at(name)) << name;
  }
  EXPECT_EQ(files, set.names().size());
}

TEST(BuiltInTemplates, UseKnownVariablesOnly) {
  const auto known = standard_variables();
  const auto set = Templates::built_in();
  for (const auto& name : set.names())
    for (const auto& use : set.at(name).uses())
      EXPECT_NE(std::find(known.begin(), known.end(), use.name), known.end())
          << set.at(name).at(use) << " " << use.name;
}

TEST(BuiltInTemplates, AnUnknownRoleNamesTheNearest) {
  EXPECT_EQ(complaint([] { Templates::built_in().at("iterative/refin"); }),
            "there is no prompt template \"iterative/refin\"; did you mean \"iterative/refine\"?");
}

TEST_F(Overrides, ReplaceTheirNamesakesAndChangeTheHash) {
  write("iterative/refine.md", "# user\nmine {{source}}\n");
  const auto set = Templates::with_overrides(folder);
  EXPECT_NE(set.hash(), Templates::built_in().hash());
  EXPECT_EQ(set.names(), Templates::built_in().names());
  EXPECT_EQ(set.at("iterative/refine").user([](const auto&) { return std::string("s"); }).text, "mine s");
}

TEST_F(Overrides, KeepTheHashIfNoTextDiffers) {
  EXPECT_EQ(Templates::with_overrides(folder).hash(), Templates::built_in().hash());
  std::ifstream shipped(std::string(RIDGELINE_SOURCE_DIR) + "/prompts/geak/debug.md");
  write("geak/debug.md", std::string(std::istreambuf_iterator<char>(shipped), {}));
  EXPECT_EQ(Templates::with_overrides(folder).hash(), Templates::built_in().hash());
}

TEST_F(Overrides, AFileThatOverridesNothingNamesTheNearest) {
  write("iterative/refne.md", "# user\nx\n");
  EXPECT_EQ(refusal(), (folder / "iterative/refne.md").string() +
                           ": overrides no template; did you mean \"iterative/refine\"?");
}

TEST_F(Overrides, AFileThatIsNoTemplateIsRefused) {
  write("iterative/refine.txt", "x");
  EXPECT_TRUE(testing::holds(refusal(), "overrides no template"));
}

TEST_F(Overrides, AnUnknownVariableNamesFileLineAndTheNearest) {
  write("iterative/refine.md", "# user\n\n{{errros}}\n");
  EXPECT_EQ(refusal(), (folder / "iterative/refine.md").string() +
                           ":3: unknown variable {{errros}}; did you mean \"errors\"?");
}

TEST_F(Overrides, ARoleStaysARoleAndAPartAPart) {
  write("iterative/refine.md", "no marker\n");
  EXPECT_TRUE(testing::holds(refusal(), "# user"));
  fs::remove_all(folder / "iterative");
  write("common/task.md", "# user\nx\n");
  EXPECT_TRUE(testing::holds(refusal(), "common/task.md:1: "));
}

TEST_F(Overrides, AFolderThatIsNotThere) {
  EXPECT_TRUE(
      testing::holds(complaint([&] { Templates::with_overrides(folder / "nowhere"); }), "no such folder"));
}

}  // namespace
}  // namespace ridgeline::prompts
