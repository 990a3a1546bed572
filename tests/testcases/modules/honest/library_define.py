# An operator by torch.library.Library, as vLLM registers its own.
import torch
from torch import nn


library = torch.library.Library("ridgeline_test", "DEF")
library.define("product(Tensor x, Tensor weight, Tensor bias) -> Tensor")
library.impl("product", nn.functional.linear, "CompositeImplicitAutograd")


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return torch.ops.ridgeline_test.product(x, self.linear.weight, self.linear.bias)
