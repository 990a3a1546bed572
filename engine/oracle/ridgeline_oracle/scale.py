"""A task's file with smaller shapes: the numbers behind what get_inputs draws, divided.

Only whole numbers that stand at the file's top level (`batch_size = 128`, `N = 2048 * 2`) are changed, only as long as
parameters and buffers keep their shapes, and the reference still runs. So the model stays as it is, and gets less.
"""

import ast
from fractions import Fraction

import torch

from ridgeline_oracle.describe import META_OPERATORS
from ridgeline_oracle.forward import forward
from ridgeline_oracle.meter import LiveBytes
from ridgeline_oracle.task_file import PUBLIC_SEED, Task, state
from ridgeline_oracle.tensors import Unsupported, tensors_of


def _names_in(node):
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}


def _assigned(statement):
    """(name, node of its value) of `name = value` and of `one, two = 1, 2`."""
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets = [(statement.target, statement.value)]
    elif isinstance(statement, ast.Assign):
        targets = [(one, statement.value) for one in statement.targets]
    else:
        return
    for target, value in targets:
        if isinstance(target, ast.Name):
            yield target.id, value
        elif isinstance(target, ast.Tuple):
            parts = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
            for place, one in enumerate(target.elts):
                if isinstance(one, ast.Name):
                    yield one.id, parts[place] if parts else value


def _whole_number(node):
    """Of a number, or of numbers multiplied or added; None for what is no such thing."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _whole_number(node.left), _whole_number(node.right)
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.Mult):
        return left * right
    return left + right if isinstance(node.op, ast.Add) else None


def numbers_of(text):
    """{name: (value, its node)}, of the whole numbers that get_inputs reads, by whatever way."""
    tree = ast.parse(text.removeprefix("\ufeff"))
    read, uses, found, twice = {"get_inputs"}, {}, {}, set()
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            uses[statement.name] = _names_in(statement)
        for name, value in _assigned(statement):
            if name in uses:
                twice.add(name)
            uses[name] = _names_in(value)
            number = _whole_number(value)
            if number is not None and number > 1:
                found[name] = (number, value)
    while True:
        more = set().union(*(uses.get(name, set()) for name in read)) - read
        if not more:
            break
        read |= more
    return {name: one for name, one in found.items() if name in read and name not in twice}


def rewritten(text, numbers, values):
    """The text with other numbers, which stay in their lines and columns."""
    lines = text.removeprefix("\ufeff").splitlines(keepends=True)
    for name in sorted(values, key=lambda one: (numbers[one][1].lineno, numbers[one][1].col_offset), reverse=True):
        node = numbers[name][1]
        if node.end_lineno != node.lineno:
            raise Unsupported(f"{name} stands on several lines")
        line = lines[node.lineno - 1].encode()  # columns count bytes
        line = line[:node.col_offset] + str(values[name]).encode() + line[node.end_col_offset:]
        lines[node.lineno - 1] = line.decode()
    return "".join(lines)


class Shapes:
    """What a file takes, and with `whole` also what its model keeps and returns: without memory or time."""

    def __init__(self, name, text, whole):
        task = Task(name, text)
        inputs = task.inputs(PUBLIC_SEED, "meta")
        self.inputs = [tuple(one.shape) for one in tensors_of(inputs)]
        self.plain = [repr(one) for one in inputs if not isinstance(one, torch.Tensor)]
        self.state = self.outputs = None
        if not whole:
            return
        model = task.build(PUBLIC_SEED, "meta")
        self.state = [(kind, one, tuple(value.shape)) for kind, one, value in state(model) if kind != "attribute"]
        try:
            with LiveBytes(META_OPERATORS):
                self.outputs = [one.dim() for one in forward(model, inputs, PUBLIC_SEED)]
        except Exception:  # it reads a value, or takes too many steps
            pass

    def shrunk_at(self, other):
        """The first place, (dimension, input), at which `other` takes less; None if it takes more elsewhere, or no less."""
        pairs = list(zip(self.inputs, other.inputs))
        if (self.plain != other.plain or [len(one) for one in self.inputs] != [len(one) for one in other.inputs]
                or any(now > was for one, two in pairs for was, now in zip(one, two))):
            return None
        places = [(dimension, position) for position, (one, two) in enumerate(pairs)
                  for dimension, (was, now) in enumerate(zip(one, two)) if now < was]
        return min(places, key=lambda place: (place[1], place[0]), default=None)

    def same_model(self, other):
        return self.state == other.state and self.outputs == other.outputs


def _shapes(name, text, whole):
    try:
        return Shapes(name, text, whole)
    except Exception:  # sizes that do not go together
        return None


def scaled(name, text, divisor):
    """{"text", "changed": [{"name", "from", "to"}]}. What makes the first dimension of an input smaller comes first (a
    batch), then what makes later ones smaller; one that is less than the divisor becomes 1, and the next takes the rest."""
    numbers = numbers_of(text)
    try:
        full = Shapes(name, text, whole=True)
    except Unsupported:
        raise
    except Exception as error:
        raise Unsupported(f"its shapes are not known without running it ({type(error).__name__}), so none can be made "
                          "smaller")
    order = []
    for one, (value, _) in numbers.items():
        half = _shapes(name, rewritten(text, numbers, {one: max(1, value // 2)}), whole=False)
        place = full.shrunk_at(half) if half else None
        if place is not None:
            order.append((*place, -value, one))
    values, left = {}, Fraction(divisor)  # exact: a rest of 1 + 1e-16 would refuse a scale
    for *_, one in sorted(order):
        value = numbers[one][0]
        smaller = max(1, int(value / left))
        if smaller == value:
            continue
        tried = _shapes(name, rewritten(text, numbers, {**values, one: smaller}), whole=True)
        if tried is None or full.shrunk_at(tried) is None or not full.same_model(tried):
            continue
        values[one] = smaller
        left *= Fraction(smaller, value)
        if left <= 1:
            break
    if not values or left > 1:
        most = int(divisor / left) if values else 1
        raise Unsupported(f"no number that get_inputs reads can be divided by {divisor} with the model as it is"
                          + (f"; the smallest scale is 1/{most}" if most > 1 else ""))
    return {"text": rewritten(text, numbers, values),
            "changed": [{"name": one, "from": numbers[one][0], "to": values[one]} for one in values]}
