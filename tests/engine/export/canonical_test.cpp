// Which sources count as the same: those that renaming variables turns into each other.
#include "engine/export/canonical.hpp"

#include <gtest/gtest.h>

#include "engine/export/dedup.hpp"

namespace ridgeline::exporting {
namespace {

bool same(Language language, std::string_view one, std::string_view other) {
  return canonical(one, language) == canonical(other, language);
}

TEST(Canonical, IgnoresCommentsWhiteSpaceAndNamesOfVariables) {
  EXPECT_TRUE(same(Language::cpp, R"(void kernel_f(const float* x, float* y, long n) {
                                       float sum = 0;  // of the row
                                       for (long i = 0; i < n; ++i) sum += x[i];
                                       y[0] = sum; })",
                   R"(void kernel_f(const float *in, float *out, long count) {
                        float total = 0;
                        for (long k = 0; k < count; ++k)
                          total += in[k];
                        out[0] = total;
                      })"));
  EXPECT_TRUE(same(Language::cuda,
                   "template <int TILE> __global__ void f(half* __restrict__ a) { int t = TILE; }",
                   "template <int BLOCK> __global__ void f(half* __restrict__ b) { int u = BLOCK; }"));
}

TEST(Canonical, KeepsWhatTheKernelDoes) {
  const auto* source = "void f(float* x, float* y, int n) { float s = expf(x[threadIdx.x]) * 32; y[n] = s; }";
  for (const auto* other :
       {"void f(float* x, float* y, int n) { float s = __expf(x[threadIdx.x]) * 32; y[n] = s; }",
        "void f(float* x, float* y, int n) { float s = expf(x[blockIdx.x]) * 32; y[n] = s; }",
        "void f(float* x, float* y, int n) { float s = expf(x[threadIdx.y]) * 32; y[n] = s; }",
        "void f(float* x, float* y, int n) { float s = expf(x[threadIdx.x]) * 64; y[n] = s; }",
        "void f(float* x, float* y, int n) { float s = expf(y[threadIdx.x]) * 32; x[n] = s; }",
        "void f(float* x, float* y, int n) { double s = expf(x[threadIdx.x]) * 32; y[n] = s; }"})
    EXPECT_FALSE(same(Language::cuda, source, other)) << other;
}

TEST(Canonical, DoesNotMixVariablesWithTheirOrder) {
  EXPECT_FALSE(
      same(Language::cpp, "int f(int a, int b) { return a - b; }", "int f(int a, int b) { return b - a; }"));
  EXPECT_FALSE(
      same(Language::cpp, "int f(int a, int b) { return a - b; }", "int f(int a, int b) { return a - a; }"));
  EXPECT_FALSE(same(Language::cpp, "int f() { return PLAIN; }", "int f() { return OTHER; }"))
      << "no declaration";
  EXPECT_FALSE(
      same(Language::cpp, "int f(P p) { int x = p.x; return x; }", "int f(P p) { int y = p.y; return y; }"))
      << "another attribute is read";
}

TEST(Canonical, OfPythonKeepsIndentationAndKeywords) {
  EXPECT_TRUE(same(Language::triton, R"(@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)  # lanes
    for i in range(n):
        v = tl.load(x_ptr + offs, mask=offs < n)
)",
                   R"(@triton.jit
def k(src, count, WIDTH: tl.constexpr):

    lane = tl.arange(0, WIDTH)
    for step in range(count):
        value = tl.load(src + lane, mask = lane < count)
)"));
  EXPECT_FALSE(same(Language::torch, "def f(x):\n    y = x.sum()\n    return y\n",
                    "def f(x):\n    y = x.mean()\n    return y\n"));
  EXPECT_FALSE(same(Language::torch, "if a:\n    b = 1\nc = 2\n", "if a:\n    b = 1\n    c = 2\n"));
  EXPECT_FALSE(same(Language::torch, "a == b\n", "c == b\n")) << "a comparison declares nothing";
}

TEST(Canonical, OfPythonKeepsTheNamesOfArguments) {
  EXPECT_FALSE(
      same(Language::torch, "dim = 1\ny = x.sum(dim=dim)\n", "keepdim = 1\ny = x.sum(keepdim=keepdim)\n"));
  EXPECT_TRUE(same(Language::torch, "def f(x, n=1):\n    return g(x, k=n)\n",
                   "def f(a, b=1):\n    return g(a, k=b)\n"));
  EXPECT_FALSE(same(Language::triton, "k[grid](x,\n    num_warps=4)\n", "k[grid](x,\n    num_stages=4)\n"));
}

TEST(Canonical, OfPythonKeepsTheMacrosOfSourcesBetweenThreeQuotes) {
  const auto module = [](const char* tile) {
    return "source = \"\"\"\n#define TILE " + std::string(tile) +
           "\n__global__ void k() {} // it's\n\"\"\"\nx = load(source)  # compiles\n";
  };
  EXPECT_FALSE(same(Language::torch, module("64"), module("32")));
  EXPECT_TRUE(same(Language::torch, module("64"), module("64") + "# again\n"));
}

TEST(Dedup, RenamedPairsAreNearlyEqual) {
  ExportedPairs seen;
  const auto before = make_candidate(Language::cpp, "int f(int a) { return a; }");
  EXPECT_TRUE(
      seen.first_time("task", before, make_candidate(Language::cpp, "int f(int a) { return a + a; }")));
  EXPECT_FALSE(
      seen.first_time("task", before, make_candidate(Language::cpp, "int f(int n) { return n + n; }")));
  EXPECT_TRUE(
      seen.first_time("task", before, make_candidate(Language::cpp, "int f(int n) { return n + 1; }")));
}

}  // namespace
}  // namespace ridgeline::exporting
