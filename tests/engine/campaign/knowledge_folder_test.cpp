#include "engine/campaign/knowledge_folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "engine/core/error.hpp"

namespace ridgeline::campaign {
namespace {

namespace fs = std::filesystem;

class KnowledgeFolder : public testing::Test {
 protected:
  KnowledgeFolder()
      : folder_(fs::temp_directory_path() / ("ridgeline-knowledge-" + std::to_string(getpid()))) {
    fs::create_directories(folder_ / "rows");
  }
  ~KnowledgeFolder() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  fs::path folder_;
};

TEST_F(KnowledgeFolder, IndexesFilesOfTheLanguageAtAnyDepth) {
  write("scan.cpp", "prefix sum");
  write("rows/online.hpp", "online softmax");
  write("rows/README.md", "softmax softmax softmax");
  write("rows/tile.cu", "softmax in shared memory");
  write("empty.cpp", "");
  const auto cpp = read_knowledge(folder_.string(), Language::cpp);
  ASSERT_TRUE(cpp);
  EXPECT_EQ(cpp->size(), 3u);
  EXPECT_EQ(cpp->nearest("Softmax")->name, "rows/online.hpp");
  EXPECT_EQ(read_knowledge(folder_.string() + "/", Language::cuda)->nearest("shared softmax")->name,
            "rows/tile.cu");
}

TEST_F(KnowledgeFolder, ReadsNoCorpusWithoutAFolder) {
  EXPECT_FALSE(read_knowledge("", Language::cpp));
}

TEST_F(KnowledgeFolder, RefusesByNameWhatCannotBeAKernel) {
  write("rows/huge.cpp", std::string((1 << 20) + 1, 'x'));
  try {
    read_knowledge(folder_.string(), Language::cpp);
    FAIL() << "it is too large";
  } catch (const BadInput& error) {
    EXPECT_NE(std::string(error.what()).find("rows/huge.cpp: larger than 1 MiB"), std::string::npos);
  }
}

}  // namespace
}  // namespace ridgeline::campaign
