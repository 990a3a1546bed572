#include "engine/yaml/reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "engine/yaml/nearest.hpp"
#include "tests/engine/yaml/message.hpp"

namespace ridgeline::yaml {
namespace {

enum class Mode { active, passive };
constexpr auto enum_names(Mode) {
  return std::to_array<Name<Mode>>({{Mode::active, "active"}, {Mode::passive, "passive"}});
}

Document doc(const std::string& text) {
  return Document::from_text(text, "f.yaml");
}

TEST(Reader, ReadsEveryTypeThatIsAskedFor) {
  const auto document =
      doc("name: 12\nrounds: 3\nshare: 1.5e-2\nwhole: 4\non: true\nmode: passive\n"
          "seeds: [1, 2]\nnested:\n  depth: 7\nquoted: \"5\"\nempty:\npath: a/b\n");
  auto map = document.root().map();
  EXPECT_EQ(map.required<std::string>("name"), "12");
  EXPECT_EQ(map.required<int>("rounds"), 3);
  EXPECT_EQ(map.required<double>("share"), 0.015);
  EXPECT_EQ(map.required<double>("whole"), 4.0);
  EXPECT_TRUE(map.required<bool>("on"));
  EXPECT_EQ(map.required<Mode>("mode"), Mode::passive);
  EXPECT_EQ(map.required<std::vector<std::int64_t>>("seeds"), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(map.map("nested").required<int>("depth"), 7);
  EXPECT_EQ(map.required<std::string>("quoted"), "5");
  EXPECT_EQ(map.optional<int>("empty", 9), 9);
  EXPECT_EQ(map.optional<std::string>("absent"), std::nullopt);
  EXPECT_EQ(map.required<std::filesystem::path>("path"), std::filesystem::path("a/b"));
  EXPECT_NO_THROW(map.finish());
}

TEST(Reader, NumbersReachTheirLimits) {
  const auto document = doc("low: -9223372036854775808\nhigh: 9223372036854775807\ninf: .inf\nnan: .nan\n");
  auto map = document.root().map();
  EXPECT_EQ(map.required<std::int64_t>("low"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(map.required<std::int64_t>("high"), std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(std::isinf(map.required<double>("inf")));
  EXPECT_TRUE(std::isnan(map.required<double>("nan")));
}

TEST(Reader, UnknownKeyNamesTheNearest) {
  const auto document = doc("models: [a]\nbudget:\n  tokens: 5\nstrategys: [b]\n");
  auto map = document.root().map("campaign");
  map.optional<std::vector<std::string>>("models", {});
  map.find("budget");
  map.optional<std::vector<std::string>>("strategies", {});
  EXPECT_EQ(message_of([&] { map.finish(); }),
            "f.yaml:4:1: unknown key 'strategys' in campaign; did you mean 'strategies'? "
            "(known: models, budget, strategies)");
}

TEST(Reader, UnknownKeyWithoutANearNameListsTheKnown) {
  const auto document = doc("a:\n  colour: 1\n");
  auto map = document.root().map().map("a");
  map.optional<int>("depth", 0);
  EXPECT_EQ(message_of([&] { map.finish(); }), "f.yaml:2:3: unknown key 'colour' in a (known: depth)");
}

TEST(Reader, MissingKeyNamesTheMapsPlaceAndTheKey) {
  const auto document = doc("top:\n  other: 1\n");
  auto map = document.root().map().map("top");
  EXPECT_EQ(message_of([&] { map.required<int>("rounds"); }), "f.yaml:2:3: missing key 'rounds' in top");
}

TEST(Reader, MissingKeyPointsAtTheMisspeltOne) {
  const auto document = doc("rouns: 1\n");
  auto map = document.root().map("preset");
  EXPECT_EQ(message_of([&] { map.required<int>("rounds"); }),
            "f.yaml:1:1: unknown key 'rouns' in preset; did you mean 'rounds'?");
}

TEST(Reader, KeyWithoutAValueIsRefusedWhereItStands) {
  const auto document = doc("rounds:\n");
  auto map = document.root().map("preset");
  EXPECT_EQ(message_of([&] { map.required<int>("rounds"); }),
            "f.yaml:1:1: key 'rounds' in preset has no value");
}

TEST(Reader, WrongTypesSayWhatTheValueIs) {
  const auto document = doc("a: [1]\nb: {x: 1}\nc: yes\nd: 1.5\ne: '5'\nf:\n  - ok\n  - [no]\n");
  auto map = document.root().map();
  EXPECT_EQ(message_of([&] { map.required<int>("a"); }),
            "f.yaml:1:4: 'a' must be a whole number, but is a list");
  EXPECT_EQ(message_of([&] { map.required<std::string>("b"); }),
            "f.yaml:2:4: 'b' must be a text, but is a map");
  EXPECT_EQ(message_of([&] { map.required<bool>("c"); }),
            "f.yaml:3:4: 'c' must be true or false, but is the text 'yes'");
  EXPECT_EQ(message_of([&] { map.required<int>("d"); }),
            "f.yaml:4:4: 'd' must be a whole number, but is the number 1.5");
  EXPECT_EQ(message_of([&] { map.required<double>("e"); }),
            "f.yaml:5:4: 'e' must be a number, but is the text '5' (in quotes)");
  EXPECT_EQ(message_of([&] { map.required<std::vector<std::string>>("f"); }),
            "f.yaml:8:5: 'f[1]' must be a text, but is a list");
  EXPECT_EQ(message_of([&] { map.map("a"); }), "f.yaml:1:4: 'a' must be a map, but is a list");
  EXPECT_EQ(message_of([&] { map.required<std::vector<int>>("b"); }),
            "f.yaml:2:4: 'b' must be a list, but is a map");
  EXPECT_EQ(message_of([] { doc("just words").root().map(); }),
            "f.yaml:1:1: the file must be a map, but is the text 'just words'");
  EXPECT_EQ(message_of([] { doc("").root().map(); }), "f.yaml:1:1: the file must be a map, but is nothing");
}

TEST(Reader, RangesNameTheBounds) {
  const auto document = doc("a: 9\nb: -1\nc: [0.5, 2]\nd: 300\ne: .nan\n");
  auto map = document.root().map();
  EXPECT_EQ(message_of([&] { map.required<int>("a", in_range(1, 5)); }),
            "f.yaml:1:4: 'a' is 9; it must be in 1..5");
  EXPECT_EQ(message_of([&] { map.optional<int>("b", 0, at_least(0)); }),
            "f.yaml:2:4: 'b' is -1; it must be at least 0");
  EXPECT_EQ(message_of([&] { map.required<std::vector<double>>("c", in_range(0, 1)); }),
            "f.yaml:3:10: 'c[1]' is 2; it must be in 0..1");
  EXPECT_EQ(message_of([&] { map.required<std::uint8_t>("d"); }),
            "f.yaml:4:4: 'd' is 300; it must be in 0..255");
  EXPECT_EQ(message_of([&] { map.required<double>("e", in_range(0, 1)); }),
            "f.yaml:5:4: 'e' is nan; it must be in 0..1");
  EXPECT_EQ(map.required<int>("a", in_range(1, 9)), 9);
}

TEST(Reader, EnumsNameTheNearestValue) {
  const auto document = doc("mode: pasive\n");
  auto map = document.root().map();
  EXPECT_EQ(message_of([&] { map.required<Mode>("mode"); }),
            "f.yaml:1:7: 'mode' is 'pasive', which is no valid name; did you mean 'passive'? "
            "(known: active, passive)");
}

TEST(Reader, DuplicateKeysAreRefused) {
  EXPECT_EQ(message_of([] { doc("a: 1\nb:\n  c: 1\n  c: 2\n"); }),
            "f.yaml:4:3: duplicate key 'c'; the first stands at f.yaml:3:3: remove one of them");
}

TEST(Reader, ASecondDocumentIsRefused) {
  EXPECT_EQ(message_of([] { doc("a: 1\n---\nb: 2\n"); }),
            "f.yaml:2:1: a second document begins here; one file holds one (is this line indented as it "
            "should be?)");
}

TEST(Reader, ATabInTheIndentationIsNamed) {
  EXPECT_EQ(message_of([] { doc("a:\n  b: 1\n\tc: 2\n"); }),
            "f.yaml:3:1: a tab in the indentation; YAML indents by spaces");
}

TEST(Reader, ATabInsideABlockIsText) {
  const auto document = doc("code: |\n  x\n  \ty\n");
  EXPECT_EQ(document.root().map().required<std::string>("code"), "x\n\ty\n");
}

TEST(Reader, BadYamlHasAPlace) {
  const auto message = message_of([] { doc("a: [1, 2\nb: 3\n"); });
  EXPECT_EQ(message.find("f.yaml:2:"), 0u) << message;
  EXPECT_NE(message.find("this is not YAML"), std::string::npos) << message;
}

TEST(Reader, DeepNestingIsRefusedWithoutAStackOverflow) {
  const auto message = message_of([] { doc(std::string(100000, '[')); });
  EXPECT_EQ(message, "f.yaml:1:51: lists and maps are nested too deeply here; at most 100 levels are read");
  std::string chain = "a0: &a0 [x]\n";
  for (int i = 1; i < 200; ++i) chain += fmt::format("a{}: &a{} [*a{}]\n", i, i, i - 1);
  EXPECT_EQ(message_of([&] { doc(chain); }),
            "f.yaml:99:12: lists and maps are nested too deeply here; at most 100 levels are read");
}

TEST(Reader, AliasesAreCountedAsIfWrittenOut) {
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c < 'k'; ++c) {
    const char before = static_cast<char>(c - 1);
    bomb +=
        fmt::format("{0}: &{0} [*{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}]\n", c, before);
  }
  EXPECT_EQ(
      message_of([&] { doc(bomb); }),
      "f.yaml:5:44: the document is too large here; with its aliases written out it may hold 100000 values "
      "and 1024 KiB of text");
  const auto texts = "a: &a " + std::string(600'000, 'x') + "\nb: *a\n";
  EXPECT_EQ(message_of([&] { doc(texts); }).find("f.yaml:2:4: the document is too large here"), 0u);
  std::string harmless = "base: &b {x: 4, y: [1, 2, 3]}\nuses:\n";
  for (int i = 0; i < 1000; ++i) harmless += "  - *b\n";
  EXPECT_EQ(doc(harmless).root().map().required<std::vector<Node>>("uses").size(), 1000u);
}

TEST(Reader, MergeKeysAreRefused) {
  EXPECT_EQ(message_of([] { doc("base: &b {x: 4}\nuse:\n  <<: *b\n  y: 5\n"); }),
            "f.yaml:3:3: merge keys (<<) are not read; write the keys of the other map out here");
}

TEST(Reader, BytesThatAreNoTextAreRefusedWithTheirPlace) {
  EXPECT_EQ(message_of([] { doc("a: \xC3\xA9\xE9t\xC3\xA9\n"); }),
            "f.yaml:1:5: the byte 0xE9 is not UTF-8; save the file as UTF-8");
  EXPECT_EQ(message_of([] { doc(std::string("a: 1\nb: x\0y\n", 12)); }),
            "f.yaml:2:5: a NUL byte; this is no text, or a damaged one: write the line anew");
  EXPECT_EQ(message_of([] { doc("a: \"x\\0\"\n"); }),
            "f.yaml:1:4: a NUL in a text, written as \\0; remove it");
  EXPECT_EQ(message_of([] { doc("a: \x1b[2J\n"); }),
            "f.yaml:1:4: the control character U+001B; remove it, or write \"\\x1B\" in double quotes");
  EXPECT_EQ(message_of([] { doc("\xFF\xFE\x61"); }), "f.yaml: is UTF-16; save the file as UTF-8");
  EXPECT_EQ(doc("\xEF\xBB\xBF"
                "a: \xE2\x82\xAC\r\n")
                .root()
                .map()
                .required<std::string>("a"),
            "\xE2\x82\xAC");
}

TEST(Reader, TagsAndKeysThatAreNoWordsAreRefused) {
  EXPECT_EQ(message_of([] { doc("a: !!python/object x\n"); }),
            "f.yaml:1:4: the tag 'tag:yaml.org,2002:python/object' is not understood; remove it");
  EXPECT_EQ(message_of([] { doc("[a, b]: 1\n"); }), "f.yaml:1:1: a key must be a word, as in name: value");
}

TEST(Reader, AliasesHaveTheValueOfTheirAnchors) {
  const auto document = doc("base: &b {x: 4}\nuse: *b\n");
  EXPECT_EQ(document.root().map().map("use").required<int>("x"), 4);
  EXPECT_EQ(message_of([] { doc("a: &a [1, *a]\n"); }),
            "f.yaml:1:11: this alias stands inside the node that it refers to");
}

TEST(Reader, UnreadableFilesAreRefusedWithTheReason) {
  EXPECT_EQ(message_of([] { Document::from_file("/no/such.yaml"); }),
            "/no/such.yaml: cannot be read: No such file or directory; name another file");
  EXPECT_EQ(message_of([] { Document::from_file("/tmp"); }),
            "/tmp: is a folder, not a file; name a file in it");
  EXPECT_EQ(message_of([] { Document::from_file("/dev/zero"); }),
            "/dev/zero: has more than 1024 KiB; a YAML file may have 1024 KiB: is this the right file?");
  const auto path = std::filesystem::path(testing::TempDir()) / "huge.yaml";
  std::ofstream(path) << "a: x\n";
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);  // a hole: nothing of it may be read
  EXPECT_EQ(message_of([&] { Document::from_file(path); }),
            path.string() + ": has 1073741824 KiB; a YAML file may have 1024 KiB: is this the right file?");
  std::filesystem::remove(path);
}

TEST(Reader, AFileIsReadUnderItsName) {
  const auto path = std::filesystem::path(testing::TempDir()) / "reader_test.yaml";
  std::ofstream(path) << "a: x\n";
  const auto document = Document::from_file(path);
  EXPECT_EQ(message_of([&] { document.root().map().required<int>("a"); }),
            path.string() + ":1:4: 'a' must be a whole number, but is the text 'x'");
}

TEST(DidYouMean, ListsTheFirstOfMany) {
  std::vector<std::string> many;
  for (int i = 0; i < 30; ++i) many.push_back("key_number_" + std::to_string(i));
  const auto text = did_you_mean("zzz", many);
  EXPECT_EQ(text.find(" (known: key_number_0, "), 0u);
  EXPECT_NE(text.find("key_number_23, and 6 more)"), std::string::npos);
  EXPECT_EQ(did_you_mean("x", {}), "");
}

}  // namespace
}  // namespace ridgeline::yaml
