# Asks for the user, a folder for temporary files, its own use of memory, and copes with what it hears.
import torch
from torch import nn


import getpass
import pwd
import os
import resource
import tempfile

getpass.getuser()
tempfile.gettempdir()
resource.getrusage(resource.RUSAGE_SELF)
resource.getrlimit(resource.RLIMIT_NOFILE)
os.times()
try:
    pwd.getpwuid(os.getuid())
except KeyError:
    pass
try:
    os.makedirs("/tmp/cache", exist_ok=True)
except OSError:
    pass


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return self.linear(x)
