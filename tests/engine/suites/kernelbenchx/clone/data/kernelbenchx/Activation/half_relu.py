import torch

SLOPE = 0.5


def half_relu(input, weight=None, *, scale=1.0, out=None):
    """Scales what is negative by SLOPE, then everything by scale and weight."""
    result = torch.where(input < 0, input * SLOPE, input) * scale
    return result if weight is None else result * weight

##################################################################################################################################################

import torch
import os, sys
sys.path.append(os.path.abspath("utils"))
from data_utils import rand_tensor

# def half_relu(input): an old copy

def test_half_relu():
    results = {}
    a = torch.randn(4, 8, device="cuda")
    results["test_case_1"] = half_relu(a)
    results["test_case_2"] = half_relu(a, torch.rand(8, device="cuda"), scale=2.0)
    for mode in ("standard", "outlier"):
        results[mode] = half_relu(rand_tensor((32, 16), mode=mode, outlier_prob=0.1, outlier_scale=10.0))
    return results

test_results = test_half_relu()
