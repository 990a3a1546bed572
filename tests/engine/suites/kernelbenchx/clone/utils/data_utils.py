import torch


def rand_tensor(shape, *, mode="standard", outlier_prob=0.001, outlier_scale=50.0, device="cuda"):
    drawn = torch.randn(*shape, device=device)
    if mode == "outlier":
        far = torch.rand(*shape, device=device) < outlier_prob
        drawn = torch.where(far, drawn * outlier_scale, drawn)
    return drawn
