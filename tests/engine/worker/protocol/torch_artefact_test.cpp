#include "engine/worker/protocol/torch_artefact.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "engine/core/error.hpp"
#include "engine/core/json_fields.hpp"

namespace ridgeline::protocol {
namespace {

namespace fs = std::filesystem;

class TorchArtefact : public testing::Test {
 protected:
  TorchArtefact() {
    std::string pattern = fs::temp_directory_path() / "artefact-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~TorchArtefact() override { fs::remove_all(folder_); }

  fs::path file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  static std::string text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// A job of a module, one that did not build, and another.
  fs::path written() const {
    TorchJob job;
    job.source = "line\nline";
    job.modules = {{"a", "x", 0, ""}, {"b", "y", 0, "no"}, {"c", "z", 0, ""}};
    write_torch_artefact(folder_ / "artefact", job,
                         {file("x", std::string("first\0\n", 7)), file("y", std::string(100'000, 'y'))});
    return folder_ / "artefact";
  }

  fs::path folder_;
};

TEST_F(TorchArtefact, UnpacksKernelsIntoTheirOwnFolder) {
  write_torch_artefact(folder_ / "artefact", TorchJob(), {},
                       {file("k-a.cubin", "code"), file("k-a.json", "{}")});
  fs::create_directory(folder_ / "inbox");
  unpack_torch_artefact(folder_ / "artefact", folder_ / "inbox/candidate.json");
  EXPECT_EQ(text(folder_ / "inbox/kernels/k-a.cubin"), "code");
  EXPECT_EQ(text(folder_ / "inbox/kernels/k-a.json"), "{}");
}

TEST_F(TorchArtefact, WritesNoKernelOutsideOfTheirFolder) {
  for (const std::string name : {"../x", "/tmp/x", "..", "a/b", ""}) {
    const auto artefact = file("artefact", R"({"kernels": [{"name": ")" + name + "\", \"bytes\": 1}]}\nxy");
    EXPECT_THROW(unpack_torch_artefact(artefact, folder_ / "job.json"), BadInput) << name;
  }
}

TEST_F(TorchArtefact, ALineThatDoesNotSayWhatFollowsIsBadInput) {
  for (const std::string line :
       {R"({"modules": [{"file": "module0.so"}]})", R"({"modules": [{"file": "module0.so", "bytes": "5"}]})",
        R"({"modules": [{"file": "module0.so", "bytes": -1}]})",
        R"({"modules": [{"file": "module0.so", "bytes": 1e300}]})",
        R"({"kernels": [{"name": 3, "bytes": 1}]})", R"({"kernels": [{"bytes": 1}]})",
        R"({"kernels": [{"name": "\u0000", "bytes": 1}]})"})
    EXPECT_THROW(unpack_torch_artefact(file("artefact", line + "\nxxxxx"), folder_ / "job.json"), BadInput)
        << line;
  const auto long_name = R"({"kernels": [{"name": ")" + std::string(256, 'k') + R"(", "bytes": 1}]})";
  EXPECT_THROW(unpack_torch_artefact(file("artefact", long_name + "\nx"), folder_ / "job.json"), BadInput)
      << "which is no full disk";
}

TEST_F(TorchArtefact, UnpacksTheJobAndItsModules) {
  const auto artefact = written();
  fs::create_directory(folder_ / "inbox");
  unpack_torch_artefact(artefact, folder_ / "inbox/candidate.json");
  const auto job = nlohmann::json::parse(text(folder_ / "inbox/candidate.json"));
  EXPECT_EQ(job.at("source"), "line\nline");
  EXPECT_EQ(job.at("modules"),
            nlohmann::json::parse(
                R"([{"key": "a", "name": "x", "file": "module0.so", "bytes": 7}, {"key": "b", "error": "no"},
                                      {"key": "c", "name": "z", "file": "module2.so", "bytes": 100000}])"));
  EXPECT_EQ(text(folder_ / "inbox/module0.so"), std::string("first\0\n", 7));
  EXPECT_EQ(text(folder_ / "inbox/module2.so"), std::string(100'000, 'y'));
  EXPECT_FALSE(fs::exists(folder_ / "inbox/module1.so"));
}

TEST_F(TorchArtefact, IgnoresBytesAfterTheLastModule) {
  const auto artefact = written();
  std::ofstream(artefact, std::ios::app) << "facts of kernels";
  unpack_torch_artefact(artefact, folder_ / "job");
  EXPECT_EQ(text(folder_ / "module2.so").size(), 100'000u);
}

TEST_F(TorchArtefact, UnpacksAJobFileWithoutModules) {
  unpack_torch_artefact(file("plain", to_json(TorchJob{})), folder_ / "job");
  EXPECT_EQ(text(folder_ / "job"), to_json(TorchJob{}));
}

TEST_F(TorchArtefact, RefusesATruncatedArtefact) {
  const auto artefact = written();
  fs::resize_file(artefact, fs::file_size(artefact) - 1);
  EXPECT_THROW(unpack_torch_artefact(artefact, folder_ / "job"), BadInput);
  EXPECT_THROW(unpack_torch_artefact(folder_ / "absent", folder_ / "job"), MachineCannot);
}

}  // namespace
}  // namespace ridgeline::protocol
