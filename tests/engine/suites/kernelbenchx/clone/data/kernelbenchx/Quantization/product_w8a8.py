import torch


def product_w8a8(a, b):
    return torch.matmul(a, b)

##################################################################################################################################################

import torch

def test_product_w8a8():
    results = {}
    results["test_case_1"] = product_w8a8(torch.randn(16, 32, device="cuda"), torch.randn(32, 8, device="cuda"))
    return results

test_results = test_product_w8a8()
