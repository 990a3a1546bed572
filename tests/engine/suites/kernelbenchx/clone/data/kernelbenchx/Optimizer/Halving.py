import torch


def helper(x):
    return x * 0.5


def halving_step(param, grad, lr=0.1):
    param.sub_(helper(grad), alpha=lr)
    return param

##################################################################################################################################################

import torch

def test_halving_step():
    results = {}
    param = torch.randn(8, 4, device="cuda")
    results["test_case_1"] = halving_step(param.clone(), torch.randn(8, 4, device="cuda"), lr=0.2)
    return results

test_results = test_halving_step()
