"""As much of torch as the slim headers ask of it, over ctypes: the tests need no torch."""
import ctypes


class dtype:
    def __init__(self, name, ctype):
        self.name, self.ctype = name, ctype

    def __repr__(self):
        return f"torch.{self.name}"


float32 = dtype("float32", ctypes.c_float)
float64 = dtype("float64", ctypes.c_double)
int32 = dtype("int32", ctypes.c_int32)
int64 = dtype("int64", ctypes.c_int64)
for _name in ("uint8", "int8", "int16", "float16", "bool", "bfloat16", "complex32", "complex64", "complex128",
              "float8_e5m2", "float8_e4m3fn"):
    globals()[_name] = dtype(_name, None)


class device:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return self.name


class Tensor:
    def __init__(self, shape, values, dtype=float32):
        self.shape, self.dtype, self.device = tuple(shape), dtype, device("cpu")
        self.storage = (dtype.ctype * max(len(values), 1))(*values)

    def __repr__(self):
        return f"tensor({self.tolist()})"

    def tolist(self):
        count = 1
        for n in self.shape:
            count *= n
        return list(self.storage)[:count]

    def stride(self):
        strides, step = [], 1
        for n in reversed(self.shape):
            strides.insert(0, step)
            step *= n
        return tuple(strides)

    def is_contiguous(self):
        return True

    def data_ptr(self):
        return ctypes.addressof(self.storage)

    def sum(self):
        return Tensor((), [sum(self.tolist())], self.dtype)

    def item(self):
        return self.tolist()[0]

    def mul_(self, by):
        for i, value in enumerate(self.tolist()):
            self.storage[i] = value * by
        return self


def zeros(size, dtype=float32, device="cpu", **_):
    if any(n < 0 for n in size):
        raise RuntimeError("negative dimension")
    count = 1
    for n in size:
        count *= n
    made = Tensor(size, [0] * count, dtype)
    made.asked_device = device
    return made


def zeros_like(x, **_):
    return zeros(x.shape, x.dtype)


empty, empty_like = zeros, zeros_like
