# An operator as an autograd.Function.
import torch
from torch import nn


class Product(torch.autograd.Function):
    @staticmethod
    def forward(context, x, weight, bias):
        context.save_for_backward(x, weight)
        return torch.addmm(bias, x, weight.T)

    @staticmethod
    def backward(context, gradient):
        x, weight = context.saved_tensors
        return gradient @ weight, gradient.T @ x, gradient.sum(0)


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return Product.apply(x, self.linear.weight, self.linear.bias)
