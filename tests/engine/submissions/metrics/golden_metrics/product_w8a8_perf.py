import sys
import os

sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), '..')))

from kernelbenchx.Quantization.product_w8a8 import product_w8a8
from performance_utils import Performance_Metrics

import torch


class performance_metrics(Performance_Metrics):
    def __init__(self, dtype=None, **kwargs):
        super().__init__('product_w8a8', dtype=dtype, **kwargs)

    def get_input_tensors(self):
        self.input_tensors = [torch.rand(2 ** power) for power in (4, 6, 8)]

    def to_cuda(self, given):
        return given.cuda()

    def call_op(self, given):
        return product_w8a8(given.view(-1, 4), given.view(4, -1))

    def get_gbps(self, given, ms):
        return given.numel() * 8 / ms / 1e6

    def get_tflops(self, given, ms):
        return given.numel() / ms / 1e9


if __name__ == '__main__':
    op_perf = performance_metrics()
    op_perf.get_input_tensors()
    op_perf.get_do_bench_config()
    folder_path = "/nowhere"
    op_perf.run_benchmark()
