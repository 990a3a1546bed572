#include "benchmark_tasks/script_places.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/benchmark_tasks/task_text.hpp"

namespace ridgeline::benchmark_tasks {
namespace {

namespace fs = std::filesystem;

class ScriptPlaces : public testing::Test {
 protected:
  std::string of(const std::string& complaint, const std::string& text) const {
    std::ofstream(file) << text;
    const auto message = placed(complaint, file);
    EXPECT_EQ(message.rfind(file.string(), 0), 0u) << message;
    return message.substr(file.string().size());
  }
  ~ScriptPlaces() override { fs::remove(file); }

  const fs::path file = fs::path(testing::TempDir()) / "script_places.yaml";
};

TEST_F(ScriptPlaces, ALineOfABlockIsALineOfTheFile) {
  // The valid file has `reference: |` in line 15, indented by two.
  EXPECT_EQ(of("task 'scale': reference:2:12: undefined value y", valid_task()),
            ":17:14: task 'scale': undefined value y");
  EXPECT_EQ(
      of("task 'scale', case 'a': reference:1:1: no", with("reference: |\n", "reference: |2  # text\n\n")),
      ":16:3: task 'scale', case 'a': no");
}

TEST_F(ScriptPlaces, ATextThatIsNoBlockIsNamedByItsBeginning) {
  const auto text =
      with("{kind: elementwise}", "{kind: quantized, unquantized: \"def reference(x, f: float): return x\"}");
  EXPECT_EQ(of("task 'scale': unquantized:1:9: no", text), ":18:42: task 'scale': no");
  EXPECT_EQ(of("task 'scale': reference: must define", text), ":15:12: task 'scale': must define");
}

TEST_F(ScriptPlaces, AComplaintWithoutAPlaceNamesTheFile) {
  EXPECT_EQ(of("task 'scale': its bytes", valid_task()), ": task 'scale': its bytes");
  EXPECT_EQ(of("task 'scale', case 'a': the reference returns two", valid_task()),
            ":15:12: task 'scale', case 'a': the reference returns two");
  EXPECT_EQ(placed("task 't': reference:1:1: no", "/no/such.yaml"),
            "/no/such.yaml: task 't': reference:1:1: no");
}

TEST(FileOf, IsTheTasksFileInItsSuite) {
  const auto suite = load_native(RIDGELINE_SOURCE_DIR "/benchmark_tasks");
  EXPECT_EQ(file_of(suite, "softmax"), fs::path(RIDGELINE_SOURCE_DIR "/benchmark_tasks/Math/softmax.yaml"));
  EXPECT_EQ(file_of(suite, "my/own.yaml"), fs::path("my/own.yaml"));
}

}  // namespace
}  // namespace ridgeline::benchmark_tasks
