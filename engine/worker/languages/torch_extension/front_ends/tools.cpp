#include "engine/worker/languages/torch_extension/front_ends/tools.hpp"

#include <chrono>

namespace ridgeline::front_ends {
namespace {

using torch_extension::ExtensionRequest;

constexpr const char* kDeclared = "torch::Tensor doubled(torch::Tensor x);";
constexpr const char* kRight = R"(#include <torch/extension.h>
#include <vector>
template <typename T>
__global__ void double_each(const T* x, T* y, int64_t n) {
  const int64_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * T(2);
}
torch::Tensor doubled(torch::Tensor x) {
  auto y = torch::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "doubled", ([&] {
    double_each<scalar_t><<<1, 32>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.numel());
  }));
  return y;
}
)";
constexpr const char* kWrong = R"(
torch::Tensor wrong(torch::Tensor x) {
  AT_DISPATCH_FLOATING_TYPES(x.type(), "wrong", ([&] {
    double_each<scalar_t><<<1, 32>>>(x.data_ptr<scalar_t>(), nowhere.data_ptr<scalar_t>(), x.numel());
  }));
  return x.no_such_member();
}
)";

}  // namespace

torch_extension::ExtensionBuild plain_build(const Tools& tools, const std::string& module) {
  torch_extension::ExtensionBuild build;
  build.module = module;
  build.includes = tools.torch.includes();
  build.architecture = tools.architecture;
  build.cuda = !tools.toolchain.program.empty();
  return build;
}

sandbox::Policy reading_torch(const Tools& tools, const std::filesystem::path& folder, bool write) {
  auto policy =
      languages::nvcc_policy(tools.toolchain, tools.settings.isolation, write ? folder.string() : "");
  if (!write) policy.read(folder.string()).in(folder.string());
  for (const auto& include : tools.torch.includes()) policy.read(include.string());
  policy.limits = tools.settings.limits;
  return policy;
}

std::optional<sandbox::ConfinedExit> run_unless(const std::atomic<bool>& stop, const sandbox::Policy& policy,
                                                const std::vector<std::string>& words) {
  auto child = sandbox::spawn(policy, words);
  while (!stop)
    if (auto exit = child.step(std::chrono::milliseconds(100))) return exit;
  return std::nullopt;  // the child ends with its handle
}

ExtensionRequest right_request() {
  ExtensionRequest request;
  request.name = "ridgeline_right";
  request.cpp_sources = {kDeclared};
  request.cuda_sources = {kRight};
  request.has_functions = true;
  request.functions = {{"doubled", "twice x"}};
  return request;
}

ExtensionRequest wrong_main() {
  auto request = right_request();
  request.cpp_sources = {"torch::Tensor doubled(torch::Tensor x) { return x.no_such_member(); }"};
  request.functions.emplace_back("declared_nowhere", "");
  return request;
}

ExtensionRequest wrong_cuda() {
  auto request = right_request();
  request.cuda_sources.front() += kWrong;
  return request;
}

std::string from_first_error(const std::string& messages) {
  auto error = messages.find(": error");
  if (error == messages.npos) error = messages.find(": fatal error");
  if (error == messages.npos) return {};
  const auto line = messages.rfind('\n', error);
  return messages.substr(line == messages.npos ? 0 : line + 1);
}

}  // namespace ridgeline::front_ends
