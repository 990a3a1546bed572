"""Ridgeline's trusted oracle: runs KernelBench task files as they are, and speaks with the program that started it.

The one process that ever holds a reference model, the inputs' seeds and the expected outputs besides the judge. No
candidate's code runs in it.
"""
