#include "engine/verifier/reference.hpp"

#include "engine/core/error.hpp"
#include "engine/verifier/perturb.hpp"

namespace ridgeline::verifier {

std::vector<at::Tensor> Reference::run_perturbed(const std::vector<at::Tensor>& args, const Case& task_case,
                                                 double step, std::uint64_t seed) const {
  return run(step == 0 ? widen(args) : perturbed(widen(args), step, seed), task_case);
}

std::vector<at::Tensor> Reference::run_rows(const std::vector<at::Tensor>&, const std::vector<bool>&, Rows,
                                            const Case&, double, std::uint64_t, bool) const {
  throw Error("this reference runs no rows alone");
}

std::vector<at::Tensor> Reference::run_unquantized(const std::vector<at::Tensor>&, const Case&) const {
  throw Error("this reference has no unquantized computation");
}

std::vector<at::Tensor> Reference::choose(const std::vector<at::Tensor>&, const Case&) const {
  throw Error("this reference leaves no choice");
}

std::vector<at::Tensor> Reference::run_with_choice(const std::vector<at::Tensor>&,
                                                   const std::vector<at::Tensor>&, const Case&) const {
  throw Error("this reference leaves no choice");
}

std::vector<at::Tensor> Reference::check(const std::vector<at::Tensor>&, const std::vector<at::Tensor>&,
                                         const Case&) const {
  throw Error("this reference has no check");
}

std::vector<at::Tensor> Reference::draw(std::uint64_t) const {
  throw BadInput("the reference draws no inputs: it is no module of torch");
}

std::vector<at::Tensor> widen(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> wide;
  for (const auto& tensor : tensors) {
    if (tensor.is_complex())
      wide.push_back(tensor.to(at::kComplexDouble));
    else
      wide.push_back(tensor.is_floating_point() ? tensor.to(at::kDouble) : tensor);
  }
  return wide;
}

}  // namespace ridgeline::verifier
