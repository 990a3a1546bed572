#include "engine/worker/languages/torch_extension/commands.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

#include "engine/worker/languages/flags/cuda_flags.hpp"
#include "engine/worker/languages/workshop.hpp"

namespace ridgeline::torch_extension {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDeviceLinkFile = "device_link.o";

/// torch's own for nvcc.
constexpr auto kTorchNvcc = std::to_array<std::string_view>(
    {"-D__CUDA_NO_HALF_OPERATORS__", "-D__CUDA_NO_HALF_CONVERSIONS__", "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
     "-D__CUDA_NO_HALF2_OPERATORS__", "--expt-relaxed-constexpr"});

void add(Command& command, const std::vector<std::string>& words) {
  command.insert(command.end(), words.begin(), words.end());
}

void add_common(Command& command, const ExtensionBuild& build) {
  add(command, {"-DTORCH_EXTENSION_NAME=" + build.module, "-DTORCH_API_INCLUDE_EXTENSION_H"});
  for (const auto& folder : build.includes) add(command, {"-isystem", folder.string()});
}

Command nvcc(const languages::CudaToolchain& toolchain, const ExtensionBuild& build) {
  Command command = {toolchain.program, "-ccbin", toolchain.host.program};
  add_common(command, build);
  command.insert(command.end(), kTorchNvcc.begin(), kTorchNvcc.end());
  add(command, languages::for_nvcc(languages::with_architecture(build.flags.cuda, build.architecture)));
  const bool standard = std::ranges::any_of(build.flags.cuda, [](const std::string& flag) {
    return flag.starts_with("-std=") || flag.starts_with("--std=");
  });
  if (!standard) command.push_back("-std=c++17");
  add(command, {"-Xptxas=-v", "-Xcudafe=--error_limit=20",
                build.slim ? "-Xcompiler=-fPIC,-pipe,-fno-gnu-unique" : "-Xcompiler=-fPIC,-pipe"});
  return command;
}

/// Where the toolkit keeps libraries: lib64 of an installation, lib of wheels.
std::vector<fs::path> library_folders(const languages::CudaToolchain& toolchain) {
  const auto root = fs::path(toolchain.program).parent_path().parent_path();
  return {root / "lib64", root / "lib", root / "lib64/stubs"};
}

/// The file for "-lcublas", by whatever version it ends with (wheels have no plain name); else the flag.
std::string library_word(const languages::CudaToolchain& toolchain, const std::string& flag) {
  const auto name = "lib" + flag.substr(2) + ".so";
  for (const auto& folder : library_folders(toolchain)) {
    std::error_code absent;
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder, absent))
      if (const auto file = entry.path().filename().string(); file == name || file.starts_with(name + "."))
        files.push_back(entry.path().string());
    if (!files.empty()) return std::ranges::min(files);
  }
  return flag;
}

/// The half of the device's runtime that the host's linker takes; nvcc names the other itself.
std::string device_runtime(const languages::CudaToolchain& toolchain) {
  for (const auto& folder : library_folders(toolchain))
    if (const auto file = folder / "libcudadevrt.a"; fs::exists(file)) return file.string();
  return "-lcudadevrt";
}

/// The runtime is shared with torch, so that errors of launches are seen by both; names left open are told,
/// and those of Python are expected.
std::vector<std::string> libraries(const languages::CudaToolchain& toolchain, const ExtensionBuild& build) {
  std::vector<std::string> words;
  for (const auto& flag : build.flags.libraries) words.push_back(library_word(toolchain, flag));
  if (build.cuda) words.push_back(library_word(toolchain, "-lcudart"));
  words.insert(words.end(), build.libraries.begin(), build.libraries.end());
  return words;
}

/// Among the flags for g++, in either list.
bool with_openmp(const ExtensionBuild& build) {
  const auto names_it = [](const std::string& flag) { return flag.find("-fopenmp") != std::string::npos; };
  return std::ranges::any_of(build.flags.host, names_it) || std::ranges::any_of(build.flags.cuda, names_it);
}

}  // namespace

std::string prelude_file(const ExtensionUnit& unit) {
  return unit.file + ".prelude.h";
}

Command compile_command(const languages::CudaToolchain& toolchain, const ExtensionBuild& build,
                        const ExtensionUnit& unit) {
  if (unit.compiler == ExtensionUnit::Compiler::nvcc) {
    auto command = nvcc(toolchain, build);
    if (!unit.prelude.empty()) add(command, {"-include", prelude_file(unit)});
    add(command, {"-c", unit.file, "-o", unit.file + ".o"});
    return command;
  }
  Command command = {toolchain.host.program, "-pipe", "-fPIC", "-std=c++17"};
  add_common(command, build);
  const auto root = fs::path(toolchain.program).parent_path().parent_path();
  if (build.cuda) add(command, {"-isystem", (root / "include").string()});
  command.push_back("-fmax-errors=20");
  if (build.slim) command.push_back("-fno-gnu-unique");
  add(command, build.flags.host);
  if (!unit.prelude.empty()) add(command, {"-include", prelude_file(unit)});
  add(command, {"-c", unit.file, "-o", unit.file + ".o"});
  return command;
}

Command link_command(const languages::CudaToolchain& toolchain, const ExtensionBuild& build,
                     const std::vector<ExtensionUnit>& units) {
  Command command = {toolchain.host.program, "-shared", "-Wl,-z,defs", "-Wl,--warn-unresolved-symbols"};
  for (const auto& unit : units) command.push_back(unit.file + ".o");
  if (build.flags.relocatable()) add(command, {kDeviceLinkFile, device_runtime(toolchain)});
  if (build.slim) command.push_back("-Wl,-Bsymbolic");
  add(command, libraries(toolchain, build));
  if (with_openmp(build)) command.push_back("-fopenmp");
  add(command, {"-o", std::string(languages::kLibraryFile)});
  return command;
}

Command device_link_command(const languages::CudaToolchain& toolchain, const ExtensionBuild& build,
                            const std::vector<ExtensionUnit>& units) {
  Command command = {toolchain.program, "-ccbin", toolchain.host.program, "-dlink", "-Xcompiler=-fPIC"};
  for (const auto& flag :
       languages::for_nvcc(languages::with_architecture(build.flags.cuda, build.architecture)))
    if (flag.starts_with("-gencode=") || flag.starts_with("--generate-code=")) command.push_back(flag);
  for (const auto& unit : units) command.push_back(unit.file + ".o");
  add(command, {"-o", kDeviceLinkFile});
  return command;
}

Command joined_command(const languages::CudaToolchain& toolchain, const ExtensionBuild& build,
                       const ExtensionUnit& unit) {
  auto command = nvcc(toolchain, build);
  add(command, {"-shared", "-nodlink", "--cudart=none", "-Xlinker=-z,defs",
                "-Xlinker=--warn-unresolved-symbols", "-Xlinker=-Bsymbolic", unit.file});
  for (const auto& word : libraries(toolchain, build)) command.push_back(word);
  add(command, {"-o", std::string(languages::kLibraryFile)});
  return command;
}

std::vector<std::string> libraries_named_in(const std::string& text) {
  std::vector<std::string> flags;
  for (const auto& [word, flag] :
       std::initializer_list<std::pair<const char*, const char*>>{{"cublasLt", "-lcublasLt"},
                                                                  {"cublas", "-lcublas"},
                                                                  {"cusparse", "-lcusparse"},
                                                                  {"cusolver", "-lcusolver"},
                                                                  {"curandCreate", "-lcurand"},
                                                                  {"cufft", "-lcufft"}})
    if (text.find(word) != std::string::npos) flags.emplace_back(flag);
  return flags;
}

}  // namespace ridgeline::torch_extension
