#include "engine/worker/languages/cuda/nvcc/headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <vector>

#include "engine/core/hash.hpp"
#include "engine/worker/languages/cuda/nvcc/script.hpp"

namespace ridgeline::nvcc {
namespace {

namespace fs = std::filesystem;
using Words = Plan::Words;

constexpr std::string_view kSourceBegins = "# 1 \"kernel.cu\"\n";

/// Sources differ from an empty one in what cudafe++ writes of templates, internal linkage and launches.
constexpr std::string_view kProbe = R"(#include <cstdint>
namespace {
template <class T> __global__ void probe(T* x, int64_t n) { if (threadIdx.x < n) x[threadIdx.x] = min(x[0], T(1)); }
}
extern "C" void kernel_probe(float* x, int64_t n, void* stream) { probe<<<1, 32, 0, (cudaStream_t)stream>>>(x, n); }
)";

/// Headers and macros that a header left behind in part, or counted, would show in.
constexpr std::string_view kCheck = R"(
#include <cuda_runtime.h>
#include <algorithm>
#include <cassert>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>
#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
#include <cooperative_groups.h>
#endif
#include <math_constants.h>
void* nothing = NULL;
int counted = __COUNTER__, line = __LINE__;
auto some = cudaStreamPerThread, end = INT64_MAX, pi = M_PI, inf = CUDART_INF_F;
__device__ void stop(int x) { assert(x); }
)";

std::string read(const fs::path& file) {
  std::ifstream stream{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{stream}, {}};
}

fs::path folder_of(const languages::Workshop& workshop, const languages::CudaToolchain& toolchain,
                   const Plan& plan) {
  std::string text = toolchain.fingerprint + std::string{kProbe};
  for (const auto* words : {&plan.expand_host, &plan.cudafe, &plan.expand_device, &plan.compile})
    text += script_line(*words) + '\n';
  return workshop.cache().folder() / ("header-" + sha256_of({text}));
}

Words into(Words words, std::string_view file) {
  words.back() = file;
  return words;
}

Words with_defines(Words words) {
  words.insert(std::ranges::find(words, "-E"), "-dD");
  return words;
}

Words as_header(Words words) {
  const auto language = std::ranges::find(words, "c++");
  if (language != words.end()) *language = "c++-header";
  *(words.end() - 3) = kHostHeader;
  words.back() = std::string{kHostHeader} + ".gch";
  return words;
}

/// Both expansions and what cudafe++ makes of two sources.
std::string reading_script(const Plan& plan) {
  const auto line = [](const Words& words) { return script_line(words); };
  return fmt::format(
      R"(set -e
printf _0_9_kernel_cu_0 >kernel.module_id
: >kernel.cu
{}
{}
{}
{}
{}
mv kernel.cudafe1.cpp empty.cpp
cp probe.cu kernel.cu
{}
{}
cp check.cu kernel.cu
{}
{}
)",
      line(plan.expand_host), line(plan.cudafe), line(into(plan.expand_device, "device.empty")),
      line(into(with_defines(plan.expand_host), "host.defines")),
      line(into(with_defines(plan.expand_device), "device.defines")),
      "mv kernel.cpp4.ii host.empty; " + line(plan.expand_host), line(plan.cudafe),
      line(into(plan.expand_host, "host.whole")), line(into(plan.expand_device, "device.whole")));
}

/// The precompiled header, and the other way to the same expansions.
std::string making_script(const Plan& plan) {
  return fmt::format(
      "set -e\n{}\n{}\n{}\n", script_line(as_header(plan.compile)),
      script_line(into(with_macros(plan.expand_host, std::string{kHostMacros}), "host.rest")),
      script_line(into(with_macros(plan.expand_device, std::string{kDeviceMacros}), "device.rest")));
}

bool runs(const languages::Workshop& workshop, const languages::CudaToolchain& toolchain, const Plan& plan,
          const languages::BuildScratch& scratch, const std::string& script) {
  auto policy = languages::nvcc_policy(toolchain, workshop.settings().isolation, scratch.path().string());
  return workshop.start(std::move(policy), scratch, {"/bin/sh", "-c", with_environment(plan, script)}).ok();
}

/// Reading ahead and then the source gives what reading all gives.
bool gives_the_same(const languages::BuildScratch& scratch, const std::string& side) {
  const auto whole = read(scratch.file(side + ".whole"));
  const auto rest = read(scratch.file(side + ".rest"));
  const auto begin = rest.find(kSourceBegins);
  return begin != std::string::npos &&
         same_text(whole, read(scratch.file(side + ".ii")) + rest.substr(begin));
}

}  // namespace

std::optional<Headers> find_headers(const languages::Workshop& workshop,
                                    const languages::CudaToolchain& toolchain, const Plan& plan) {
  Headers headers{folder_of(workshop, toolchain, plan), 0, nullptr};
  headers.hold = workshop.cache().hold(headers.folder);
  if (!headers.hold) return std::nullopt;
  headers.host_bytes = fs::file_size(headers.folder / kHostHeader);
  return headers;
}

std::optional<Headers> make_headers(const languages::Workshop& workshop,
                                    const languages::CudaToolchain& toolchain, const Plan& plan) {
  const auto scratch = workshop.scratch();
  scratch.write("probe.cu", kProbe);
  scratch.write("check.cu", kCheck);
  if (!runs(workshop, toolchain, plan, scratch, reading_script(plan))) return std::nullopt;
  for (const std::string side : {"host", "device"}) {
    scratch.write(side + ".ii", before_source(read(scratch.file(side + ".empty"))));
    scratch.write(side + ".macros", macros_of(read(scratch.file(side + ".defines"))));
  }
  const auto empty = read(scratch.file("empty.cpp")), probe = read(scratch.file("kernel.cudafe1.cpp"));
  const auto header = common_header(empty, probe);
  if (header.empty()) return std::nullopt;
  scratch.write(kHostHeader, header);
  if (!runs(workshop, toolchain, plan, scratch, making_script(plan)) || !gives_the_same(scratch, "host") ||
      !gives_the_same(scratch, "device"))
    return std::nullopt;
  fs::create_directory(scratch.file("header"));
  for (const std::string& name :
       {std::string{kHostText}, std::string{kHostMacros}, std::string{kDeviceText},
        std::string{kDeviceMacros}, std::string{kHostHeader}, std::string{kHostHeader} + ".gch"})
    fs::rename(scratch.file(name), scratch.file("header") / name);
  workshop.cache().keep(scratch.file("header"), folder_of(workshop, toolchain, plan));
  return find_headers(workshop, toolchain, plan);
}

std::string macros_of(std::string_view defines) {
  std::string macros, place;
  bool own = true;  // the compiler's
  while (!defines.empty()) {
    const auto line = defines.substr(0, defines.find('\n'));
    defines.remove_prefix(std::min(line.size() + 1, defines.size()));
    if (line.starts_with("# ")) {
      const auto name_ends = line.rfind('"') + 1;
      own = line.find("\"<") != line.npos;
      place = line.substr(0, name_ends);
      for (const std::string_view flag : {" 3", " 4"})  // of the system; without "enters" and "leaves"
        if (line.find(flag, name_ends) != line.npos) place += flag;
      place += '\n';
    } else if (!own && (line.starts_with("#define ") || line.starts_with("#undef ") ||
                        line.starts_with("#pragma push_macro") || line.starts_with("#pragma pop_macro"))) {
      macros.append(place).append(line).append("\n");
      place.clear();
    }
  }
  return macros;
}

std::string_view before_source(std::string_view expanded) {
  return expanded.substr(0, std::min(expanded.rfind(kSourceBegins), expanded.size()));
}

std::string_view common_header(std::string_view a, std::string_view b) {
  const auto differ = std::ranges::mismatch(a, b).in1 - a.begin();
  auto common = a.substr(0, static_cast<std::size_t>(differ));
  while (!common.empty()) {
    const auto line = common.rfind("\n# ");
    if (line == common.npos) return {};
    const auto marker = a.substr(line + 1, a.find('\n', line + 1) - line);
    common = common.substr(0, line + 1);
    if (marker.ends_with("\"\n")) return common;
    common.remove_suffix(1);
  }
  return {};
}

bool same_text(std::string_view a, std::string_view b) {
  const auto next = [](std::string_view& text) {  // the next line that says something
    for (;;) {
      const auto line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      const auto begin = line.find_first_not_of(" \t");
      if (text.empty() && begin == line.npos) return std::string_view{};
      if (begin != line.npos && !line.starts_with("# "))
        return line.substr(begin, line.find_last_not_of(" \t") - begin + 1);
    }
  };
  while (!a.empty() || !b.empty())
    if (next(a) != next(b)) return false;
  return true;
}

}  // namespace ridgeline::nvcc
