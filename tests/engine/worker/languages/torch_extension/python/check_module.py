"""check_module.py FOLDER_OF_TORCH MODULE.so: imports the module of nvcc_test.cpp and checks what it does."""
import importlib.util
import sys

sys.path.insert(0, sys.argv[1])
import torch  # noqa: E402

spec = importlib.util.spec_from_file_location("host_module", sys.argv[2])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)


def raises(kind, words, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except Exception as error:
        assert type(error) is kind, f"{type(error)}: {error}"
        assert words in str(error), str(error)
        return str(error)
    raise AssertionError(f"{function} raised nothing")


x = torch.Tensor((2, 3), [1, 2, 3, 4, 5, 6])

assert module.scale(x, 2).tolist() == [2, 4, 6, 8, 10, 12]
assert module.scale(x=x, by=3.0).tolist()[5] == 18
assert module.scale(x).tolist()[5] == 6, "the default"
assert module.scale.__doc__.startswith("scale(x: torch.Tensor, by: typing.SupportsFloat = 1.0) -> torch.Tensor")
assert module.__doc__ == "host functions"

words = raises(TypeError, "scale(): incompatible function arguments", module.scale, [1], 2)
assert "Invoked with: [1], 2" in words and "1. (x: torch.Tensor, by: typing.SupportsFloat = 1.0)" in words
raises(TypeError, "incompatible", module.scale)
raises(TypeError, "incompatible", module.scale, x, 1, 2)
raises(TypeError, "kwargs: other=1", module.scale, x, other=1)
raises(TypeError, "incompatible", module.scale, None)
raises(RuntimeError, "expected scalar type Float but found Double", module.scale,
       torch.Tensor((1,), [1], torch.float64))
raises(RuntimeError, "want a matrix, got 1 dims of [2]", module.checked, torch.Tensor((2,), [1, 2]))
raises(IndexError, "Dimension out of range (expected to be in range of [-2, 1], but got 2)", module.size_at, x, 2)
raises(ValueError, "thrown", module.throws)
raises(NotImplementedError, "\"dispatched\" not implemented for 'Int'", module.dispatched,
       torch.Tensor((1,), [1], torch.int32))
raises(RuntimeError, "negative dimension", module.zeros, [-1])

assert module.size_at(x, -1) == 3
assert module.zeros([2, 2]).asked_device == "cpu"
assert module.dispatched(torch.Tensor((2,), [1, 2], torch.float64)) == 8
assert module.total(x) == 21.0
assert module.doubled(x) is x and x.tolist()[0] == 2
assert module.optional(None) is None and module.optional(x) is x
assert module.several([x, x], "text", True) == (2, "text!", [2, 3])
raises(TypeError, "incompatible", module.several, x, "text", True)
assert module.overloaded(1) == "int" and module.overloaded(1.5) == "double" and module.overloaded("a") == "text"
assert module.integer(True) == 1
raises(TypeError, "incompatible", module.integer, 1.0)
raises(TypeError, "incompatible", module.integer, 2**31)
assert module.lambda_twice(4) == 8
held = module.keeps(x)
del held
print("ok")
