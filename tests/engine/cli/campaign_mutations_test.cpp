// The campaigns that ship, each damaged at random: `run --plan` ends well or says what is wrong, and never
// otherwise.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <random>
#include <sstream>

#include "tests/engine/cli/program.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const auto& line : lines) text += line + '\n';
  return text;
}

/// Deletes or repeats a line, replaces a value by one of another type, indents a line otherwise, cuts the
/// file off, or changes a byte.
class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  std::string of(const std::string& text) {
    auto lines = lines_of(text);
    if (lines.empty()) return text;
    const auto at = below(lines.size());
    switch (below(6)) {
      case 0:
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1:
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(below(lines.size())),
                     std::string(lines[at]));
        break;
      case 2:
        lines[at] = lines[at].substr(0, lines[at].find(':')) + ": " + value();
        break;
      case 3:
        lines[at] = std::string(below(6), ' ') +
                    lines[at].substr(std::min(lines[at].find_first_not_of(' '), lines[at].size()));
        break;
      case 4:
        return text.substr(0, below(text.size()));
      default: {
        auto changed = text;
        changed[below(changed.size())] = static_cast<char>(below(256));
        return changed;
      }
    }
    return joined(lines);
  }

  std::size_t below(std::size_t bound) { return random_() % bound; }

 private:
  std::string value() {
    const std::array values{
        "",     "[]",      "{}",   "-1",    "0",      "1e400",  "999999999999999999999999",
        "true", "null",    "~",    "\"x\"", "[1, 2]", "{a: b}", ".nan",
        "[[[[", "*a",      "&a 1", "!t x",  "|",      "'",      "../../x",
        "<<",   "\"\\0\"", "- x"};
    return values[below(values.size())];
  }

  std::mt19937 random_;  // equal on every machine, unlike the distributions
};

class Mutations : public testing::TestWithParam<unsigned> {};

TEST_P(Mutations, EndWellOrSayWhatIsWrong) {
  const store::samples::Folder folder;
  // One folder deeper, so that `../../KernelBench` is not a clone that lies beside the test's folder.
  const auto configs = folder.root() / "ridgeline" / "configs";
  fs::create_directory(configs.parent_path());
  fs::copy(RIDGELINE_SOURCE_DIR "/configs", configs, fs::copy_options::recursive);
  Damage damage(GetParam());
  const std::array names{"quickstart", "cuda", "kernelbench", "kernelbench-x"};
  auto text = read_file((configs / names[damage.below(names.size())]).string() + ".yaml");
  auto lines = lines_of(text);
  std::erase_if(lines, [](const auto& line) { return line.starts_with('#'); });  // damage there is none
  text = joined(lines);
  for (auto times = 1 + damage.below(2); times > 0; --times) text = damage.of(text);
  const auto file = (configs / "damaged.yaml").string();
  write_file(file, text);

  const auto ran = ridgeline({"run", file, "--plan"}, "", 60);
  SCOPED_TRACE(text);
  // A campaign in CUDA that was damaged where it does not matter is refused by a machine without a device.
  const bool lacks_device =
      ran.status == 3 && ran.err.find("has no device for the backend 'cuda'") != std::string::npos;
  EXPECT_TRUE(ran.status == 0 || ran.status == 2 || lacks_device) << ran.status << ' ' << ran.err;
  if (ran.status != 2) return;
  EXPECT_THAT(ran.err, testing::HasSubstr("ridgeline: "));
  EXPECT_LE(std::count(ran.err.begin(), ran.err.end(), '\n'), 2) << ran.err;
  EXPECT_LT(ran.err.size(), 4200u) << ran.err;
}

INSTANTIATE_TEST_SUITE_P(Cli, Mutations, testing::Range(0U, 40U));

}  // namespace
}  // namespace ridgeline::cli
