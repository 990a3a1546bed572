"""Ridgeline's Python runner: holds one candidate, a torch.nn.Module, and calls it when the judge says so.

The candidate shares this interpreter and may change whatever it likes in it. So nothing here is a safeguard: what
goes to the judge is a claim, and the judge decides by the buffers it shares, by its own clock, and by a sandbox that
was laid on this process before the candidate came. What is taken by name at import below is so that a candidate's
patches of torch do not get in the way of an honest call.
"""
