#include "engine/cuda/cupti_search.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace ridgeline::cuda {
namespace {

namespace fs = std::filesystem;

class CuptiSearch : public testing::Test {
 protected:
  void SetUp() override {
    auto name = (fs::temp_directory_path() / "cupti-search-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(root_); }
  fs::path folder(const std::string& name, std::initializer_list<const char*> files) {
    fs::create_directories(root_ / name);
    for (const char* file : files) std::ofstream(root_ / name / file) << "x";
    return root_ / name;
  }
  fs::path root_;
};

TEST_F(CuptiSearch, IgnoresALibraryWithoutItsMetricDefinitions) {
  const auto alone = folder("alone", {"libcupti.so.13"});
  const auto whole = folder("whole", {"libcupti.so.13", "libnvperf_host.so"});
  EXPECT_FALSE(find_cupti({alone, root_ / "nowhere"}));
  EXPECT_EQ(find_cupti({alone, whole}), fs::canonical(whole / "libcupti.so.13"));
}

TEST_F(CuptiSearch, FollowsALinkToTheFolderThatHasBothLibraries) {
  const auto whole = folder("whole", {"libcupti.so.13", "libnvperf_host.so"});
  const auto links = folder("links", {});
  fs::create_symlink(whole / "libcupti.so.13", links / "libcupti.so.13");
  EXPECT_EQ(find_cupti({links}), fs::canonical(whole / "libcupti.so.13"));
}

TEST_F(CuptiSearch, SaysWhatIsMissingAndHowToFixIt) {
  const auto text = no_cupti_text({"/one", "/two", "/three", "/four", "/five"});
  for (const auto* part : {"libnvperf_host.so", "/one, /two", "…", "fix: pip install nvidia-cuda-cupti"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_EQ(text.find("/five"), std::string::npos);
}

TEST_F(CuptiSearch, ReadsFromTheDriverThatCountersAreForbidden) {
  const auto at = folder("proc", {});
  std::ofstream(at / "closed") << "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\n";
  std::ofstream(at / "open") << "RmProfilingAdminOnly: 0\n";
  EXPECT_NE(counters_forbidden(at / "closed").find("NVreg_RestrictProfilingToAdminUsers=0"),
            std::string::npos);
  EXPECT_EQ(counters_forbidden(at / "open"), "");
  EXPECT_EQ(counters_forbidden(at / "missing"), "");
}

}  // namespace
}  // namespace ridgeline::cuda
