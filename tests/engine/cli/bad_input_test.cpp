// Bad campaign files and --set against the shipped program: what, where, the fix, and nothing spent.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>

#include "tests/engine/cli/refusal.hpp"

namespace ridgeline::cli {
namespace {

using Texts = std::vector<std::string>;

std::string alias_bomb() {
  std::string text = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char name = 'b'; name < 'k'; ++name) {
    text += fmt::format("{0}: &{0} [", name);
    for (int i = 0; i < 9; ++i) text += fmt::format("{}*{}", i > 0 ? ", " : "", static_cast<char>(name - 1));
    text += "]\n";
  }
  return text;
}

std::string alias_chain() {
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i < 20'000; ++i) text += fmt::format("a{}: &a{} [*a{}]\n", i, i, i - 1);
  return text;
}

struct BadCampaign {
  const char* name;
  const char* from;  ///< "" puts `to` before the file
  std::string to;
  Texts says;
};

void PrintTo(const BadCampaign& bad, std::ostream* out) {
  *out << bad.name;
}

class BadCampaigns : public testing::TestWithParam<BadCampaign> {};

TEST_P(BadCampaigns, AreRefusedWithTheirPlaceAndTheFix) {
  Refusal refusal;
  const auto& [name, from, to, says] = GetParam();
  refusal.expect_campaign(*from == '\0' ? to + refusal.campaign() : refusal.campaign_with(from, to), says);
}

INSTANTIATE_TEST_SUITE_P(
    Cli, BadCampaigns,
    testing::Values(
        BadCampaign{"AliasBomb", "", alias_bomb(), {"trial.yaml:6:12: ", "too large", "100000 values"}},
        BadCampaign{"AliasChain",
                    "",
                    alias_chain(),
                    {"trial.yaml:99:12: ", "nested too deeply", "at most 100 levels"}},
        BadCampaign{"MergeKey",
                    "  total: {calls: 4}",
                    "  total: &t {calls: 4}\n  per_trajectory:\n    <<: *t",
                    {"trial.yaml:15:5: merge keys (<<)", "write the keys"}},
        BadCampaign{"NotUtf8",
                    "name: trial",
                    "description: caf\xE9\nname: trial",
                    {"trial.yaml:1:17: the byte 0xE9 is not UTF-8", "save the file as UTF-8"}},
        BadCampaign{
            "Nul", "name: trial", std::string("name: tr\0ial", 12), {"trial.yaml:1:9: a NUL byte", "anew"}},
        BadCampaign{
            "NulInQuotes", "id: m", "id: \"m\\0\"", {"trial.yaml:10:42: a NUL in a text", "remove it"}},
        BadCampaign{"EscapeCharacter",
                    "name: trial",
                    "name: \x1b[2J",
                    {"trial.yaml:1:7: the control character U+001B"}},
        BadCampaign{"Utf16", "", "\xFF\xFE", {"trial.yaml: is UTF-16; save the file as UTF-8"}},
        BadCampaign{
            "TooLarge", "", "#" + std::string(3 << 20, 'x') + "\n", {"trial.yaml: has 3072 KiB", "1024 KiB"}},
        BadCampaign{"TooManyBrackets", "", std::string(1'000'000, '['), {"trial.yaml:5:3: this is not YAML"}},
        BadCampaign{"TwoEqualSeeds",
                    "seeds: [0]",
                    "seeds: [0, 0]",
                    {"trial.yaml:11:12: the seed 0 stands twice, first at ", ":11:9", "name another"}},
        BadCampaign{"MisspeltRole",
                    "seeds:",
                    "roles: {generator: generator, critc: generator}\nseeds:",
                    {"trial.yaml:11:31: unknown key 'critc' in roles; did you mean 'critic'?"}},
        BadCampaign{"MisspeltGenerator",
                    "seeds:",
                    "roles: {generater: generator}\nseeds:",
                    {"trial.yaml:11:9: unknown key 'generater' in roles; did you mean 'generator'?"}},
        BadCampaign{"RoleOfNoModel",
                    "seeds:",
                    "roles: {generator: generater}\nseeds:",
                    {"trial.yaml:11:20: no model 'generater' under models; did you mean 'generator'?"}},
        BadCampaign{
            "UnknownCritic",
            "{rounds: 2}",
            "{rounds: 2, critic: critc}",
            {"trial.yaml:8:35: the strategy 'geak' names the role 'critc'", "did you mean 'critic'?"}},
        BadCampaign{
            "TwoEqualLabels",
            "  - strategy: geak",
            "  - strategy: geak\n    label: best_of_n",
            {"trial.yaml:7:5: two strategies are called 'best_of_n', the first at ", ":5:5", "a label"}},
        BadCampaign{"NameWithDots",
                    "name: trial",
                    "name: ..",
                    {"trial.yaml:1:7: '..' is no name for a campaign", "a name has letters, digits"}},
        BadCampaign{"NameThatIsAPath",
                    "name: trial",
                    "name: ../../etc/trial",
                    {"trial.yaml:1:7: '../../etc/trial' is no name"}},
        BadCampaign{"MisspeltKey",
                    "strategies:",
                    "strategis:",
                    {"trial.yaml:4:1: unknown key 'strategis' in campaign; did you mean 'strategies'?"}},
        BadCampaign{
            "DuplicateKey",
            "seeds: [0]",
            "seeds: [0]\nname: other",
            {"trial.yaml:12:1: duplicate key 'name'; the first stands at ", ":1:1: remove one of them"}},
        BadCampaign{"MisspeltTask",
                    "[softmax]",
                    "[softmax, layer_nrm]",
                    {"trial.yaml:3:20: no task of the suite 'native' is named 'layer_nrm'; did you mean "
                     "'layer_norm'?"}},
        BadCampaign{"EndlessGlob",
                    "[softmax]",
                    "['*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b']",
                    {"trial.yaml:3:11: no task of the suite"}},
        BadCampaign{"NoSuchSuite",
                    "  tasks: [softmax]",
                    "  path: /no/such",
                    {"trial.yaml:3:9: /no/such: is no folder"}},
        BadCampaign{"MisspeltPreset",
                    "preset: best_of_n",
                    "preset: best_of_m",
                    {"trial.yaml:5:13: no preset 'best_of_m'; did you mean 'best_of_n'?"}},
        BadCampaign{"PresetOfAnyLength",
                    "preset: best_of_n",
                    "preset: " + std::string(300'000, 'n'),
                    {"trial.yaml:5:13: no preset 'nnn", "(known: "}},
        BadCampaign{"WrongType",
                    "seeds: [0]",
                    "seeds: {a: 0}",
                    {"trial.yaml:11:8: 'seeds' must be a list, but is a map"}},
        BadCampaign{"NoYaml", "seeds: [0]", "seeds: [0", {"trial.yaml:", "this is not YAML"}}),
    [](const auto& one) { return one.param.name; });

struct BadOverride {
  const char* name;
  std::string set;
  Texts says;
};

void PrintTo(const BadOverride& bad, std::ostream* out) {
  *out << bad.name;
}

class BadOverrides : public testing::TestWithParam<BadOverride> {};

TEST_P(BadOverrides, AreRefusedAndQuoted) {
  Refusal refusal;
  refusal.expect_campaign(refusal.campaign(), GetParam().says, {"--set", GetParam().set});
}

INSTANTIATE_TEST_SUITE_P(
    Cli, BadOverrides,
    testing::Values(
        BadOverride{
            "NoValue", "novalue", {"--set novalue: must be key=value, as in budget.total.tokens=200000"}},
        BadOverride{"EmptyValue",
                    "budget.total.usd=",
                    {"--set budget.total.usd=: no value; say budget.total.usd=null to take the key away"}},
        BadOverride{"BlankValue", "budget.total.usd=  ", {"no value; say budget.total.usd=null"}},
        BadOverride{"MisspeltPath", "budgt.total.usd=1", {"no 'budgt' in the file; did you mean 'budget'?"}},
        BadOverride{"MisspeltKey",
                    "budget.total.usdd=1",
                    {"unknown key 'usdd' in budget.total; did you mean 'usd'?"}},
        BadOverride{"NotUtf8", "description=caf\xE9", {"the byte 0xE9 is not UTF-8"}},
        BadOverride{"Bomb", "description=" + std::string(60'000, '['), {"nested too deeply"}},
        BadOverride{"LongPath", "a" + std::string(60'000, '.') + "=1", {"an empty key stands in the path"}},
        BadOverride{"NoIndex", "strategies.7.label=x", {"is a list of 2; '7' is no index in it"}}),
    [](const auto& one) { return one.param.name; });

TEST(BadInput, TheUnspoiledCampaignIsAccepted) {
  const Refusal refusal;
  refusal.write("trial.yaml", refusal.campaign());
  const auto ran = ridgeline({"run", refusal.path("trial.yaml"), "--plan"}, "", 60);
  EXPECT_EQ(ran.status, 0) << ran.err;
}

TEST(BadInput, AnUnreadableFileIsReported) {
  Refusal refusal;
  refusal.expect({"run", refusal.path("none.yaml")},
                 {"none.yaml: cannot be read: No such file", "name another file"});
  refusal.expect({"run", refusal.path("")}, {"is a folder, not a file"});
  refusal.expect({"run", "/dev/zero"}, {"/dev/zero: has more than 1024 KiB"});
  refusal.expect({"run", refusal.path(std::string(300, 'x'))}, {"File name too long"});
  refusal.expect({"run"}, {"CONFIG is required", "`ridgeline run --help`"});
}

TEST(BadInput, AFolderInPlaceOfAFileIsReported) {
  Refusal refusal;
  refusal.expect({"evaluate", "--batch", refusal.path("")}, {"is a folder; give a file of JSON lines"});
  refusal.expect({"evaluate", "softmax", refusal.path(""), "--language", "cpp"},
                 {"SOURCE is a file that holds the kernel"});
}

TEST(BadInput, AMissingMailboxIsReported) {
  Refusal refusal;
  const auto record = [&](const std::string& box) {
    return std::vector<std::string>{"record", refusal.path(box), "--out", refusal.path("o.jsonl"), "--model",
                                    "m"};
  };
  refusal.expect(record("none"), {"none/outbox: No such file or directory; is this a mailbox?"});
  refusal.write("file", "x");
  refusal.expect(record("file"), {"file is not a Ridgeline store"});
  refusal.expect({"record", refusal.path(""), "--out", refusal.path("o.jsonl")},
                 {"--model is missing: a mailbox does not say which model answered"});
}

}  // namespace
}  // namespace ridgeline::cli
