#include "engine/worker/agent/torch_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/worker/agent/scratch_folder.hpp"

namespace ridgeline::agent {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// A machine on which `folder` holds a torch of `version`, and python knows the one in `pythons`.
TorchSearch machine(const std::string& folder, const std::string& version,
                    const std::optional<std::string>& pythons = std::nullopt) {
  return {[=](const std::string& asked) { return asked == folder ? std::optional(version) : std::nullopt; },
          [=] { return pythons; }};
}

LibraryFolders found(const std::string& named, const TorchSearch& search) {
  const auto outcome = find_torch(named, search);
  const auto* folders = std::get_if<LibraryFolders>(&outcome);
  EXPECT_TRUE(folders) << std::get<std::string>(outcome);
  return folders ? *folders : LibraryFolders{};
}

std::string problem(const std::string& named, const TorchSearch& search) {
  const auto outcome = find_torch(named, search);
  const auto* text = std::get_if<std::string>(&outcome);
  EXPECT_TRUE(text) << "it was found";
  return text ? *text : "";
}

TEST(Torch, ComesFromTheNamedFolderElseFromPythons) {
  const auto wanted = required_torch_version();
  EXPECT_THAT(found("/named", machine("/named", wanted, "/site")), ElementsAre("/named/torch/lib"));
  EXPECT_THAT(found("", machine("/site", wanted, "/site")), ElementsAre("/site/torch/lib"));
}

TEST(Torch, MayBeAnyBuildOfTheReleaseAndNoOtherRelease) {
  const auto wanted = required_torch_version();
  EXPECT_THAT(found("/a", machine("/a", wanted + "+cu128")), ElementsAre("/a/torch/lib"));
  EXPECT_THAT(found("/a", machine("/a", wanted + "+cpu")), ElementsAre("/a/torch/lib"));
  for (const auto& other : {wanted + "1", std::string("1.0.0"), wanted + ".post1", std::string()})
    EXPECT_THAT(problem("/a", machine("/a", other)), AllOf(HasSubstr(wanted), HasSubstr("/a"))) << other;
}

TEST(Torch, ThatIsMissingIsReportedWithTheFix) {
  const auto fix =
      AllOf(HasSubstr("pip install torch==" + required_torch_version()), HasSubstr("RIDGELINE_TORCH"));
  EXPECT_THAT(problem("", machine("/a", "")), AllOf(HasSubstr("python3"), fix));
  EXPECT_THAT(problem("/wrong", machine("/a", required_torch_version())), AllOf(HasSubstr("/wrong"), fix));
}

TEST(Torch, ForAJudgeInItsBuildFolderIsTheLinkedOne) {
  const auto outcome = torch_for("/no/bundle/bin/ridgeline-judge", "/nowhere");
  ASSERT_TRUE(std::holds_alternative<LibraryFolders>(outcome));
  EXPECT_TRUE(std::get<LibraryFolders>(outcome).empty());
}

TEST(Torch, IsSearchedForInABundle) {
  const ScratchFolder folder(std::filesystem::temp_directory_path());
  std::filesystem::create_directories(folder.path() / "bin");
  std::filesystem::create_directories(folder.path() / "share/ridgeline");
  const auto outcome = torch_for((folder.path() / "bin/ridgeline-judge").string(), folder.path().string());
  ASSERT_TRUE(std::holds_alternative<std::string>(outcome)) << "there is no torch in that folder";
  EXPECT_THAT(std::get<std::string>(outcome), HasSubstr("libtorch_cpu.so"));
}

TEST(LibraryPath, PutsTheFoldersFirst) {
  EXPECT_THAT(with_library_folders({"PATH=/bin"}, {"/a", "/b"}),
              ElementsAre("PATH=/bin", "LD_LIBRARY_PATH=/a:/b"));
  EXPECT_THAT(with_library_folders({"LD_LIBRARY_PATH=/own", "PATH=/bin"}, {"/a"}),
              ElementsAre("LD_LIBRARY_PATH=/a:/own", "PATH=/bin"));
  EXPECT_THAT(with_library_folders({"LD_LIBRARY_PATH="}, {"/a"}), ElementsAre("LD_LIBRARY_PATH=/a"))
      << "an empty part would be the working folder";
  EXPECT_THAT(with_library_folders({"LD_LIBRARY_PATH=/own"}, {}), ElementsAre("LD_LIBRARY_PATH=/own"));
}

}  // namespace
}  // namespace ridgeline::agent
