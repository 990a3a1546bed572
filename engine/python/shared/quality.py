"""Radon's figures of a text, as KernelBench-X has them: of candidate and test together."""


def figures(text):
    """{} without radon, or where radon cannot read the text."""
    try:
        from radon.complexity import cc_visit
        from radon.metrics import mi_visit
    except ImportError:
        return {}
    blocks = [block.complexity for block in cc_visit(text)]
    lines = text.split("\n")
    comments = sum(line.strip().startswith("#") for line in lines)
    code = sum(bool(line.strip()) for line in lines) - comments
    return {"avg_complexity": round(sum(blocks) / len(blocks) if blocks else 0, 2),
            "max_complexity": max(blocks, default=0),
            "maintainability_index": round(mi_visit(text, multi=True), 2),
            "total_lines": len(lines),
            "code_lines": code,
            "comment_lines": comments,
            "comment_ratio": round(comments / len(lines), 3)}
