#include "engine/cli/certificates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/engine/cli/program.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::cli {
namespace {

TEST(Certificates, SufficeInAFileOrInAFolder) {
  const store::samples::Folder folder;
  const auto file = folder.path("authorities.pem");
  const auto none = folder.path("none");
  EXPECT_TRUE(certificates_problem(file, none));
  write_file(file, "");
  EXPECT_TRUE(certificates_problem(file, none)) << "an empty file holds none";
  std::filesystem::create_directory(none);
  EXPECT_TRUE(certificates_problem(file, none)) << "nor does an empty folder";
  EXPECT_FALSE(certificates_problem(file, folder.root().string()));
  write_file(file, "-----BEGIN CERTIFICATE-----");
  EXPECT_FALSE(certificates_problem(file, none));
}

TEST(Certificates, AreReportedWithTheFixIfMissing) {
  EXPECT_THAT(*certificates_problem("/a.pem", "/b"),
              testing::AllOf(testing::HasSubstr("/a.pem"), testing::HasSubstr("/b"),
                             testing::HasSubstr("apt-get install ca-certificates"),
                             testing::HasSubstr("SSL_CERT_FILE")));
}

}  // namespace
}  // namespace ridgeline::cli
