# An operator that writes into an argument.
import torch
from torch import nn


@torch.library.custom_op("ridgeline_test::product_into", mutates_args=("out",))
def product(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, out: torch.Tensor) -> None:
    torch.addmm(bias, x, weight.T, out=out)


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        out = torch.empty_like(x)
        product(x, self.linear.weight, self.linear.bias, out)
        return out
