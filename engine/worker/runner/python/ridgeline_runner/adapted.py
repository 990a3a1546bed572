"""An answer that is a function: its task's adapter makes the class of it that every other answer defines itself.

The adapter's text is public. It has a namespace of its own, in which `_ridgeline_entry` is the answer's function.
"""

from ridgeline_runner import source

KERNEL_FUNCTION = "kernel_function"  # the name that an answer may have for it in every task


def add_class(module, wanted, name, function, adapter):
    """Defines `wanted` in `module`, unless the answer does. `function`: what the task's tests call."""
    names = vars(module)
    if not adapter or wanted in names:
        return
    chosen = function if function in names or KERNEL_FUNCTION not in names else KERNEL_FUNCTION
    if chosen not in names:
        raise source.NoEntryPoint(f"{name} defines no {function}; the answer is a function of that name, with the "
                                  "reference's arguments")
    own = {"__name__": "ridgeline_adapter", "_ridgeline_entry": source.function(module, chosen, name)}
    exec(compile(adapter, "adapter", "exec", dont_inherit=True), own)
    names[wanted] = own["Model"]
