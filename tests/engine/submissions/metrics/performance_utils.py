"""Times a task over its sizes and writes a table: a small one in the form that KernelBench-X's scripts expect."""
import json
import os

import torch
import triton


class Performance_Metrics:
    def __init__(self, op_name, dtype=None, **kwargs):
        self.op_name, self.dtype, self.input_tensors = op_name, dtype, []
        self.warmup, self.rep = 25, 100

    def get_do_bench_config(self, warmup=None, rep=None):
        if warmup is None:
            raise RuntimeError("the script's text should have been told how long to measure")
        self.warmup, self.rep = 1, rep / 500  # milliseconds: a test waits for it

    def run_benchmark(self):
        rows = []
        for sized in self.input_tensors:
            try:
                given = self.to_cuda(sized)
                ms = triton.testing.do_bench(lambda: self.call_op(given), warmup=self.warmup, rep=self.rep,
                                             quantiles=[0.5, 0.8, 0.2], return_mode="median")[0]
                rows.append({"input_size": [list(given.shape)], "ms": ms, "GB/s": self.get_gbps(given, ms),
                             "TFLOPS": self.get_tflops(given, ms)})
            except Exception as error:
                print("no time for this size:", error)
        path = os.path.join(os.environ["KERNELBENCHX_RESULTS_PATH"], self.op_name + ".json")
        with open(path, "w") as file:
            json.dump(rows, file)
