"""KernelBench-X's question to a text before it runs: does its top level define the task's name?"""

import ast


def _defined(node):
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    return []


def missing(text, stem):
    """Returns why the entry is missing; "" if it is there."""
    text = text.strip()
    if not text:
        return "kernel entry check: the part before the test is empty"
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        return f"kernel entry check: syntax error: {error}"
    if any(name in (stem, "kernel_function") for node in tree.body for name in _defined(node)):
        return ""
    return (f"kernel entry check: the top level defines neither `{stem}` nor `kernel_function`; "
            f"define a function of one of these names, or assign to it")
