#include "engine/worker/languages/flags/cuda_architecture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>

#include "engine/worker/languages/flags/cuda_flags.hpp"

namespace ridgeline::languages {
namespace {

/// "sm_90a": machine code for 9.0 with that device's own instructions; "compute_90": PTX.
struct Gpu {
  std::string number, suffix;
  bool machine_code = false;

  int generation() const { return std::stoi(number) / 10; }
  int step() const { return std::stoi(number) % 10; }
  std::string named(std::string_view kind) const { return fmt::format("{}_{}{}", kind, number, suffix); }
};

Gpu gpu_of(std::string_view name) {
  const auto digits = name.substr(name.find('_') + 1);
  const auto end = std::min(digits.find_first_not_of("0123456789"), digits.size());
  return {std::string(digits.substr(0, end)), std::string(digits.substr(end)), name.starts_with("sm_")};
}

/// One piece of code in a library, and the PTX that it was assembled from.
struct Image {
  Gpu from, code;
};

bool machine_code_runs(const Gpu& code, const Gpu& device) {
  if (code.suffix == "a") return code.number == device.number;
  return code.generation() == device.generation() && code.step() <= device.step();
}

bool ptx_runs(const Gpu& ptx, const Gpu& device) {
  if (ptx.suffix == "a") return ptx.number == device.number;
  if (ptx.suffix == "f") return machine_code_runs(ptx, device);
  return std::stoi(ptx.number) <= std::stoi(device.number);
}

/// The value of a flag by one of its two names.
std::optional<std::string_view> value_of(std::string_view flag, std::string_view brief,
                                         std::string_view whole) {
  for (const auto name : {brief, whole})
    if (flag.starts_with(name) && flag.size() > name.size() && flag[name.size()] == '=')
      return flag.substr(name.size() + 1);
  return std::nullopt;
}

/// The names in "sm_80", "[sm_80,compute_80]" or that in quotes.
std::vector<std::string> listed(std::string_view text) {
  std::string plain{text};
  std::erase_if(plain, [](char c) { return c == '[' || c == ']' || c == '"' || c == '\''; });
  std::vector<std::string> names;
  std::istringstream parts{plain};
  for (std::string part; std::getline(parts, part, ',');) names.push_back(part);
  return names;
}

/// Every flag of an architecture, taken out of the others.
struct Named {
  std::vector<Image> images;
  bool device_itself = false;  // native, all, all-major
  bool code_alone = false;     // -code without the -arch that nvcc wants beside it
  std::vector<std::string> rest;
};

void add_images(Named& named, std::string_view virtual_name, const std::vector<std::string>& codes) {
  for (const auto& code : codes) named.images.push_back({gpu_of(virtual_name), gpu_of(code)});
}

Named named_in(const std::vector<std::string>& flags) {
  Named named;
  std::string arch;
  std::vector<std::string> codes;
  for (const auto& flag : flags) {
    if (const auto pair = value_of(flag, "-gencode", "--generate-code")) {
      const auto comma = pair->find(',');
      add_images(named, pair->substr(0, comma), listed(pair->substr(pair->find("code=") + 5)));
    } else if (const auto one = value_of(flag, "-arch", "--gpu-architecture")) {
      arch = *one;
    } else if (const auto some = value_of(flag, "-code", "--gpu-code")) {
      codes = listed(*some);
    } else {
      named.rest.push_back(flag);
    }
  }
  if (arch.find('_') == std::string::npos) {
    named.device_itself = !arch.empty();
    named.code_alone = arch.empty() && !codes.empty();
  } else if (!codes.empty()) {
    add_images(named, arch, codes);
  } else {
    const auto ptx = gpu_of(arch).named("compute");  // nvcc puts it beside the machine code
    add_images(named, arch, arch == ptx ? std::vector{ptx} : std::vector{arch, ptx});
  }
  return named;
}

std::string flag_for(const Image& image) {
  if (image.from.named("") == image.code.named("")) return "-arch=" + image.code.named("sm");
  return fmt::format("-gencode=arch={},code={}", image.from.named("compute"), image.code.named("sm"));
}

std::vector<std::string> flags_that_run(const Named& named, const Gpu& device) {
  std::vector<std::string> flags;
  const auto add_once = [&](std::string flag) {
    if (std::ranges::find(flags, flag) == flags.end()) flags.push_back(std::move(flag));
  };
  if (named.device_itself) add_once("-arch=" + device.named("sm"));
  for (const auto& image : named.images)
    if (image.code.machine_code && machine_code_runs(image.code, device)) add_once(flag_for(image));
  if (!flags.empty()) return flags;
  const Gpu* newest = nullptr;
  for (const auto& [from, code] : named.images)
    if (!code.machine_code && ptx_runs(code, device) &&
        (!newest || std::stoi(code.number) > std::stoi(newest->number)))
      newest = &code;
  if (newest) add_once(flag_for({*newest, {device.number, newest->suffix, true}}));
  return flags;
}

}  // namespace

std::variant<FittedFlags, FitsNoDevice> fit_architectures(const std::vector<std::string>& flags,
                                                          const std::string& device) {
  auto named = named_in(with_values_joined(flags));
  if (named.code_alone)
    return "the compiler flags have -code without -arch, which nvcc refuses: name -arch=compute_NN too, or "
           "neither";
  if (named.images.empty() && !named.device_itself) return named.rest;
  const auto running = flags_that_run(named, gpu_of(device));
  if (!running.empty()) {
    named.rest.insert(named.rest.end(), running.begin(), running.end());
    return named.rest;
  }
  std::vector<std::string> codes;
  for (const auto& image : named.images)
    codes.push_back(image.code.named(image.code.machine_code ? "sm" : "compute"));
  return fmt::format(
      "the compiler flags build for {} alone, which does not run on this device ({}); name no architecture, "
      "or "
      "-arch={}",
      fmt::join(codes, " and "), device, device);
}

std::string with_architecture_hint(std::string said) {
  if (said.find("nsupported gpu architecture") != std::string::npos)
    said += "; this nvcc builds nothing for it: name no architecture, and the device's own is taken";
  return said;
}

}  // namespace ridgeline::languages
