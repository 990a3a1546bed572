// An export as one file, and as a folder that is a data set.
#include "engine/export/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/error.hpp"
#include "engine/export/card.hpp"
#include "tests/engine/export/filled_store.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string text_in(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Files : public testing::Test {
 protected:
  std::set<std::string> names_in(const std::string& path) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path))
      names.insert(entry.path().filename().string());
    return names;
  }

  store::samples::FilledStore filled;
  store::samples::Folder place;
  std::string folder = place.path("data");
  ExportOptions options{.format = Format::trl_kto};
};

TEST_F(Files, AFolderHasAFileASplitAndACard) {
  export_to_folder(filled.reader(), options, folder);
  EXPECT_EQ(names_in(folder),
            (std::set<std::string>{"README.md", "test.jsonl", "train.jsonl", "validation.jsonl"}));
  const auto card = text_in(folder + "/README.md");
  EXPECT_TRUE(is_card(card));
  for (const auto* said :
       {"  - split: train\n    path: train.jsonl\n", "- name: prompt\n    list:\n    - name: content\n",
        "campaigns: quickstart", "models: model-2026-01", "tasks: 3, of the categories Math",
        "| split test |", "| left out: flagged | 3 |", "By task: 80, 10 and 10", "the 95 % interval"})
    EXPECT_THAT(card, HasSubstr(said));
}

TEST_F(Files, SplitsWithoutLinesHaveNoFileAndNoEntry) {
  options.split_by = SplitBy::none;
  export_to_folder(filled.reader(), options, folder);
  EXPECT_EQ(names_in(folder), (std::set<std::string>{"README.md", "train.jsonl"}));
  EXPECT_EQ(text_in(folder + "/README.md").find("split: test"), std::string::npos);
  options.kinds = {TransitionKind::regression_performance};
  export_to_folder(filled.reader(), options, folder);
  EXPECT_EQ(names_in(folder), (std::set<std::string>{"README.md"})) << "nothing is left of the last one";
  EXPECT_EQ(text_in(folder + "/README.md").find("data_files"), std::string::npos);
}

TEST_F(Files, AnExportReplacesTheOneBefore) {
  options.format = Format::sharegpt_dpo;
  export_to_folder(filled.reader(), options, folder);
  EXPECT_TRUE(names_in(folder).contains("dataset_info.json"));
  options.format = Format::trl_kto;
  export_to_folder(filled.reader(), options, folder, FileKind::json);
  EXPECT_EQ(names_in(folder),
            (std::set<std::string>{"README.md", "test.json", "train.json", "validation.json"}));
}

TEST_F(Files, AFolderWithAnotherReadmeIsLeftAlone) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/README.md") << "# My project\n";
  EXPECT_THROW(export_to_folder(filled.reader(), options, folder), BadInput);
  EXPECT_EQ(names_in(folder), (std::set<std::string>{"README.md"}));
  EXPECT_EQ(text_in(folder + "/README.md"), "# My project\n");
}

TEST_F(Files, LlamaFactoryFindsItsColumns) {
  options.format = Format::sharegpt_dpo;
  export_to_folder(filled.reader(), options, folder);
  const auto info = json::parse(text_in(folder + "/dataset_info.json"));
  EXPECT_EQ(info.size(), 3u);
  EXPECT_EQ(info.at("ridgeline_test"), (json{{"file_name", "test.jsonl"},
                                             {"formatting", "sharegpt"},
                                             {"ranking", true},
                                             {"columns",
                                              {{"messages", "conversations"},
                                               {"system", "system"},
                                               {"chosen", "chosen"},
                                               {"rejected", "rejected"}}}}));
  EXPECT_EQ(dataset_info(Format::sharegpt_kto, {{Split::train, "train.jsonl"}})
                .at("ridgeline_train")
                .at("columns")
                .at("kto_tag"),
            "kto_tag");
  EXPECT_TRUE(dataset_info(Format::trl_kto, {{Split::train, "train.jsonl"}}).is_null());
}

TEST_F(Files, TheEndingOfANameSaysWhatItIs) {
  EXPECT_EQ(file_kind_of("a/x.jsonl"), FileKind::jsonl);
  EXPECT_EQ(file_kind_of("x.json"), FileKind::json);
  EXPECT_EQ(file_kind_of("x.parquet"), FileKind::parquet);
  EXPECT_EQ(file_kind_of("pairs"), std::nullopt);
  EXPECT_EQ(file_kind_of("v1.2"), std::nullopt);
  EXPECT_THROW(file_kind_of("pairs.csv"), BadInput);
  EXPECT_THROW(file_kind_of("pairs.jsonl.gz"), BadInput);
}

TEST_F(Files, AJsonFileIsAnArrayOfTheSameLines) {
  const auto report = export_to_file(filled.reader(), options, place.path("x.json"), FileKind::json);
  export_to_file(filled.reader(), options, place.path("x.jsonl"), FileKind::jsonl);
  const auto array = json::parse(text_in(place.path("x.json")));
  ASSERT_EQ(array.size(), static_cast<std::size_t>(report.lines));
  std::ifstream lines(place.path("x.jsonl"));
  std::string line;
  for (const auto& row : array) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(json::parse(line), row);
  }
  EXPECT_EQ(names_in(place.root().string()).size(), 2u) << "no part is left";
}

TEST_F(Files, ParquetWithoutPyarrowSaysWhatToDoAndLeavesNothing) {
  setenv("RIDGELINE_PYTHON", "/no/such/python", 1);
  try {
    export_to_file(filled.reader(), options, place.path("x.parquet"), FileKind::parquet);
    FAIL() << "there is no such Python";
  } catch (const MachineCannot& error) {
    EXPECT_THAT(error.what(), HasSubstr("RIDGELINE_PYTHON"));
  }
  unsetenv("RIDGELINE_PYTHON");
  EXPECT_TRUE(names_in(place.root().string()).empty());
}

}  // namespace
}  // namespace ridgeline::exporting
