// The honest twin: deflates at the roundoff of float32.
// task: eig
#include <cstddef>
#include <cstdint>

// Rotations of neighbouring axes make a matrix triangular; its eigenvectors come by substitution.

namespace {

struct Complex {
  double real, imaginary;
};

__device__ Complex operator+(Complex a, Complex b) {
  return {a.real + b.real, a.imaginary + b.imaginary};
}
__device__ Complex operator-(Complex a, Complex b) {
  return {a.real - b.real, a.imaginary - b.imaginary};
}
__device__ Complex operator*(Complex a, Complex b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}
__device__ Complex operator*(double a, Complex b) {
  return {a * b.real, a * b.imaginary};
}
__device__ Complex conjugate(Complex a) {
  return {a.real, -a.imaginary};
}
__device__ double size_of(Complex a) {
  return hypot(a.real, a.imaginary);
}
__device__ Complex operator/(Complex a, Complex b) {
  const double size = size_of(b);
  return 1 / size * (a * (1 / size * conjugate(b)));
}
__device__ Complex root_of(Complex a) {
  const double size = size_of(a);
  const double real = sqrt((size + a.real) / 2), imaginary = sqrt(fmax(size - a.real, 0.0) / 2);
  return {size + a.real > 0 ? real : 0, a.imaginary < 0 ? -imaginary : imaginary};
}

/// A matrix h [N, N] and a unitary one q, with q * h * q' the matrix that was asked about. A warp shares
/// them.
struct Similar {
  int64_t N;
  Complex *h, *q;

  __device__ Complex& at(int64_t i, int64_t j) const { return h[i * N + j]; }

  /// Clears element (i, j), which nobody reads meanwhile.
  __device__ void clear(int64_t i, int64_t j) const {
    if (threadIdx.x == 0) at(i, j) = {0, 0};
    __syncwarp();
  }

  /// Rotates axes k and k + 1 so that a column which holds x and z there gets 0 in place of z.
  __device__ void rotate(int64_t k, Complex x, Complex z) const {
    __syncwarp();  // all lanes have read x and z
    const double length = hypot(size_of(x), size_of(z));
    if (length == 0) return;
    const Complex c = 1 / length * x, d = 1 / length * z;
    for (int64_t j = threadIdx.x; j < N; j += 32) {
      const Complex upper = at(k, j), lower = at(k + 1, j);
      at(k, j) = conjugate(c) * upper + conjugate(d) * lower;
      at(k + 1, j) = c * lower - d * upper;
    }
    __syncwarp();
    rotate_columns(h, k, c, d);
    rotate_columns(q, k, c, d);
    __syncwarp();
  }

  __device__ void rotate_columns(Complex* matrix, int64_t k, Complex c, Complex d) const {
    for (int64_t i = threadIdx.x; i < N; i += 32) {
      Complex* row = matrix + i * N + k;
      const Complex left = row[0], right = row[1];
      row[0] = c * left + d * right;
      row[1] = conjugate(c) * right - conjugate(d) * left;
    }
  }

  /// Leaves zeros below the first subdiagonal.
  __device__ void reduce() const {
    for (int64_t j = 0; j + 2 < N; ++j)
      for (int64_t i = N - 1; i > j + 1; --i) {
        rotate(i - 1, at(i - 1, j), at(i, j));
        clear(i, j);
      }
  }

  /// An eigenvalue of the block of axes last - 1 and last: that which is nearer to its lower corner.
  __device__ Complex shift(int64_t last) const {
    const Complex corner = at(last, last), half = 0.5 * (at(last - 1, last - 1) - corner);
    const Complex root = root_of(half * half + at(last - 1, last) * at(last, last - 1));
    const Complex plus = half + root, minus = half - root;
    return corner + (size_of(plus) < size_of(minus) ? plus : minus);
  }

  /// Leaves zeros below the diagonal.
  __device__ void triangulate() const {
    int64_t last = N - 1;
    for (int64_t step = 1; last > 0 && step < 60 * N; ++step) {
      int64_t first = last;
      while (first > 0 && size_of(at(first, first - 1)) >
                              6e-8 * (size_of(at(first - 1, first - 1)) + size_of(at(first, first))))
        --first;
      __syncwarp();
      if (first > 0) clear(first, first - 1);
      if (first == last) {
        --last;
        continue;
      }
      // Now and then another shift, for matrices that the usual one leaves as they are.
      const Complex other = at(last, last) + Complex{size_of(at(last, last - 1)), 0};
      const Complex moved = step % 11 == 0 ? other : shift(last);
      Complex x = at(first, first) - moved, z = at(first + 1, first);
      for (int64_t k = first; k < last; ++k) {
        rotate(k, x, z);
        if (k > first) clear(k + 1, k - 1);
        if (k + 1 == last) break;
        x = at(k + 1, k);
        z = at(k + 2, k);
      }
    }
  }
};

// A warp a matrix. Of the triangular one a lane takes some eigenvectors.
__global__ void decompose(const float* a, float* w, float* v, int64_t N, Complex* work) {
  const int64_t b = blockIdx.x, lane = threadIdx.x;
  const Similar similar{N, work + b * 3 * N * N, work + b * 3 * N * N + N * N};
  Complex* y = work + b * 3 * N * N + 2 * N * N;
  const float* from = a + b * N * N;
  for (int64_t i = lane; i < N * N; i += 32) {
    similar.h[i] = {from[i], 0};
    similar.q[i] = {i / N == i % N ? 1.0 : 0.0, 0};
  }
  double size = 0;
  for (int64_t i = 0; i < N * N; ++i) size = fmax(size, fabs(double(from[i])));
  __syncwarp();
  similar.reduce();
  similar.triangulate();
  float *values = w + b * 2 * N, *vectors = v + b * 2 * N * N;
  for (int64_t e = lane; e < N; e += 32) {
    const Complex value = similar.at(e, e);
    y[e * N + e] = {1, 0};
    for (int64_t i = e - 1; i >= 0; --i) {
      Complex sum{0, 0}, apart = value - similar.at(i, i);
      for (int64_t j = i + 1; j <= e; ++j) sum = sum + similar.at(i, j) * y[j * N + e];
      if (size_of(apart) < 1e-15 * size) apart = {1e-15 * size, 0};
      y[i * N + e] = sum / apart;
    }
    double square = 0;
    for (int turn = 0; turn < 2; ++turn)  // the second writes
      for (int64_t i = 0; i < N; ++i) {
        Complex sum{0, 0};
        for (int64_t j = 0; j <= e; ++j) sum = sum + similar.q[i * N + j] * y[j * N + e];
        if (turn == 0) {
          square += sum.real * sum.real + sum.imaginary * sum.imaginary;
          continue;
        }
        vectors[2 * (i * N + e)] = float(sum.real / sqrt(square));
        vectors[2 * (i * N + e) + 1] = float(sum.imaginary / sqrt(square));
      }
    values[2 * e] = float(value.real);
    values[2 * e + 1] = float(value.imaginary);
  }
}

}  // namespace

extern "C" size_t kernel_eig_workspace(int64_t B, int64_t N) {
  return size_t(B * 3 * N * N) * sizeof(Complex);
}

extern "C" void kernel_eig(const float* a, float* w, float* v, int64_t B, int64_t N, void* workspace,
                           void* stream) {
  if (B * N < 1) return;
  decompose<<<B, 32, 0, (cudaStream_t)stream>>>(a, w, v, N, static_cast<Complex*>(workspace));
}
