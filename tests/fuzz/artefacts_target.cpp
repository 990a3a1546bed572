// Unpacks what a builder hands over for a Python runner into a folder, or refuses it as an error of ours.
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"
#include "engine/worker/protocol/torch_artefact.hpp"
#include "tests/fuzz/json_mutator.hpp"
#include "tests/fuzz/target.hpp"

namespace ridgeline::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace protocol;

/// A folder in memory where there is one: an input takes a millisecond on a disk.
class Folder {
 public:
  Folder() {
    auto name =
        ((fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path()) / "artefact-XXXXXX")
            .string();
    require(::mkdtemp(name.data()) != nullptr, "a folder can be made");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void run_artefacts(std::string_view bytes) {
  const Folder folder;
  const auto artefact = folder.path() / "artefact", inbox = folder.path() / "inbox";
  std::ofstream(artefact, std::ios::binary) << bytes;
  fs::create_directory(inbox);
  try {
    unpack_torch_artefact(artefact, inbox / "candidate.json");
  } catch (const BadInput&) {
  } catch (const MachineCannot&) {
    require(bytes.empty(), "only a file that cannot be read is the machine's fault");
  }
  std::size_t beside = 0, deep = 0;
  for (const auto& entry : fs::directory_iterator(folder.path())) beside += entry.exists() ? 1 : 0;
  for (const auto& entry : fs::recursive_directory_iterator(inbox)) {
    const auto within = entry.path().lexically_relative(inbox);
    deep = std::max<std::size_t>(deep, static_cast<std::size_t>(std::distance(within.begin(), within.end())));
    require(!entry.is_directory() || within == "kernels", "no folder is made but that of kernels");
  }
  require(beside == 2 && deep <= 2, "nothing is written outside of the folder");
}

/// The line is changed, and what follows stays.
std::string mutate_artefact(std::string_view bytes, std::size_t, unsigned seed) {
  const auto line = bytes.substr(0, bytes.find('\n'));
  const auto changed = mutate_json(line, seed);
  return changed.empty() ? "" : changed + std::string(bytes.substr(line.size()));
}

std::vector<std::string> seeds_of_artefacts() {
  TorchJob job;
  job.source = "import torch\nclass ModelNew: ...\n";
  job.tensors = {{.name = "x", .shape = {2, 3}}, {.name = "w", .shape = {3}, .state = "linear.weight"}};
  job.forward = {TensorAt{0}, PlainValue{"3"}};
  const auto plain = to_json(job) + "\n";
  job.modules = {
      {"6f1c", "scale", 5, ""}, {"77ab", "broken", 0, "Error building extension"}, {"8", "z", 3, ""}};
  job.kernels = {{"4AY4-add.cubin", 4}, {"4AY4-add.json", 2}};
  const auto full = to_json(job) + "\nfirstzzzcode{}";
  return {plain, full, full.substr(0, full.size() - 1), "", "\n", "[]\nx",
          R"({"kernels": [{"name": "../x", "bytes": 1}]})"
          "\nx",
          // Once wrong: each of these ended in another exception than BadInput.
          R"({"modules": [{"file": "module0.so"}]})"
          "\nx",
          R"({"modules": [{"file": "module0.so", "bytes": "5"}]})"
          "\nxxxxx",
          R"({"modules": [{"file": "module0.so", "bytes": 1e300}]})"
          "\nxxxxx",
          R"({"kernels": [{"name": 3, "bytes": 1}]})"
          "\nx",
          R"({"kernels": [{"name": ")" + std::string(300, 'k') + R"(", "bytes": 1}]})" + "\nx"};
}

}  // namespace

const Target artefacts{"artefacts", run_artefacts, seeds_of_artefacts, mutate_artefact};

}  // namespace ridgeline::fuzz
