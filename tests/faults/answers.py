"""What the model behind the server says: a function of the prompt and its seed, the same in every run."""

import hashlib
import re

from provider import Answer


def digest_of(prompt):
    return hashlib.sha256(f"answer\0{prompt.text}\0{prompt.seed}".encode()).hexdigest()


def tokens_of(prompt, text):
    """Counts that a server might report; whole numbers, fewer than the prompt has bytes."""
    return 20 + len(prompt.text.encode()) // 4, 1 + len(text.encode()) // 4


def prose(prompt):
    """An answer without code: nothing is evaluated. Its characters have one to four bytes."""
    digest = digest_of(prompt)
    text = (
        f"I would rather say it in words ({digest[:16]}): naïve loops cost 8 µs"
        f" – «жарко» – 火 – 𝄞𝟙 – {digest[16:32]}."
    )
    return sold(prompt, text)


def kernel(prompt):
    """A complete file with a number of its own; what it is worth is the fake worker's to say."""
    number = int(digest_of(prompt)[:12], 16)
    found = re.search(r"\bkernel_\w+", prompt.text)
    entry_point = found[0] if found else "kernel"
    text = (
        f"Here is attempt {number % 9973}.\n\n```cpp\n#include <cstdint>\n"
        f'extern "C" void {entry_point}(const float* x, float* y, std::int64_t N) {{\n'
        f"  // variant {number}\n"
        f"  for (std::int64_t i = 0; i < N; ++i) y[i] = x[i] > 0 ? x[i] : 0;\n}}\n```\n"
    )
    return sold(prompt, text)


def mixed(prompt):
    """Mostly kernels; one answer of eight is prose."""
    return prose(prompt) if int(digest_of(prompt)[-2:], 16) % 8 == 0 else kernel(prompt)


def sold(prompt, text):
    tokens_in, tokens_out = tokens_of(prompt, text)
    return Answer(text, tokens_in, tokens_out)
