// Leaves one file a format in $RIDGELINE_EXPORT_FILES for tests/export_formats.py, which loads them with
// `datasets`; without that variable, in a folder of its own.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "engine/export/export.hpp"
#include "tests/engine/export/filled_store.hpp"

namespace ridgeline::exporting {
namespace {

TEST(WrittenFiles, WritesOneFileForEachFormat) {
  const store::samples::FilledStore filled;
  const store::samples::Folder own;
  const char* asked = std::getenv("RIDGELINE_EXPORT_FILES");
  const std::filesystem::path folder = asked != nullptr ? std::filesystem::path(asked) : own.root();
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& name, const ExportOptions& options) {
    std::ofstream file(folder / (name + ".jsonl"));
    const auto report = export_store(filled.reader(), options, file);
    EXPECT_GT(report.lines, 0) << name;
    file.close();
    EXPECT_GT(std::filesystem::file_size(folder / (name + ".jsonl")), 0u);
  };
  for (const auto& format : enum_names(Format{})) {
    ExportOptions options;
    options.format = format.value;
    write(std::string(format.name), options);
  }
  ExportOptions pairs;
  pairs.format = Format::trl_dpo;
  pairs.pairs = Pairs::transition;
  write("trl-dpo-transition", pairs);
}

}  // namespace
}  // namespace ridgeline::exporting
