# An operator with a gradient, called by its name in torch.ops.
import torch
from torch import nn


@torch.library.custom_op("ridgeline_test::product", mutates_args=())
def product(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return x @ weight.T


product.register_autograd(lambda context, gradient: (gradient, gradient))


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return torch.ops.ridgeline_test.product(x, self.linear.weight) + self.linear.bias
