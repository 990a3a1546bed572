// Reads from `nvcc --dryrun --keep` what nvcc would run: the steps of one source for one architecture, as
// words. Pure.
//
// The names of files between the steps come from the source's and are the same in every build, so a plan made
// once for a set of flags serves every candidate.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline::nvcc {

/// Stands in a plan for the trampoline, which differs from task to task.
inline constexpr std::string_view kTrampolineWord = "trampoline.o";
/// Begins a word that names a file by its full path in the folder of the build.
inline constexpr std::string_view kFolderWord = "{folder}/";

struct Plan {
  using Words = std::vector<std::string>;

  std::vector<std::pair<std::string, std::string>> environment;
  Words expand_host;  // g++ -E: kernel.cu -> kernel.cpp4.ii
  Words cudafe;       // -> kernel.cudafe1.cpp, which includes the stub; without --gen_module_id_file, so that
                      // it reads kernel.module_id
  Words expand_device;  // g++ -E: kernel.cu -> kernel.cpp1.ii
  Words cicc;           // reads kernel.module_id; -> kernel.ptx, kernel.cudafe1.stub.c
  Words ptxas;          // -> kernel.cubin
  Words fatbinary;      // -> kernel.fatbin.c, which the stub includes
  Words compile;        // g++ -c -> kernel.o
  Words link;           // g++ -shared: kernel.o, trampoline.o -> kernel.so

  bool operator==(const Plan&) const = default;
};

/// Reads the plan from `said`, which nvcc wrote to stderr in `folder` for `kernel.cu trampoline.o -o
/// kernel.so`. Empty if the steps are not exactly those above (several architectures, another toolkit's way):
/// nvcc has to run them then.
std::optional<Plan> parse_dryrun(std::string_view said, const std::string& folder);

}  // namespace ridgeline::nvcc
