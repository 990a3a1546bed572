#include "engine/verifier/torch_setup.hpp"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <torch/csrc/jit/codegen/fuser/interface.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/python/update_graph_executor_opt.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/headeronly/version.h>

namespace ridgeline::verifier {

void make_deterministic(int threads) {
  at::set_num_threads(threads);
  if (at::get_num_interop_threads() != 1)
    at::set_num_interop_threads(1);  // torch allows it only once a process

  torch::jit::getExecutorMode() = false;
  torch::jit::getProfilingMode() = false;
  torch::jit::setGraphExecutorOptimize(false);
  torch::jit::setTensorExprFuserEnabled(false);
  torch::jit::overrideCanFuseOnCPU(false);

  auto& context = at::globalContext();
  context.setFloat32MatmulPrecision("highest");
  context.setAllowTF32CuBLAS(false);
  context.setAllowTF32CuDNN(false);
  context.setUserEnabledMkldnn(true);
  at::Context::setFlushDenormal(false);
}

std::string torch_version() {
  return TORCH_VERSION;
}

}  // namespace ridgeline::verifier
