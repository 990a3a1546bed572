"""Runs submissions to KernelBench-X by its own rule: a process for each stage, forked from one that has torch."""
