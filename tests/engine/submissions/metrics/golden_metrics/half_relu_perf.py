import sys
import os

sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), '..')))

from kernelbenchx.Activation.half_relu import half_relu
from performance_utils import Performance_Metrics

import torch


class performance_metrics(Performance_Metrics):
    def __init__(self, dtype=torch.float32, **kwargs):
        super().__init__('half_relu', dtype=dtype, **kwargs)

    def get_input_tensors(self):
        self.input_tensors = [torch.rand(2 ** power) for power in (4, 6, 8)]

    def to_cuda(self, given):
        return given.cuda()

    def call_op(self, given):
        return half_relu(given)

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
