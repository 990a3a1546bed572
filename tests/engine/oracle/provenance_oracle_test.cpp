// How inputs were made: told where it is certain, and nowhere else.
#include <gmock/gmock.h>

#include <limits>
#include <map>

#include "tests/engine/oracle/oracle_bed.hpp"

namespace ridgeline::oracle {
namespace {

using testing::ElementsAre;

std::vector<Provenance> made_by(const std::string& body) {
  std::vector<Provenance> all;
  for (const auto& input : tensors_of(described(task_with_inputs(body)).inputs))
    all.push_back(input.provenance);
  return all;
}

Provenance of(const std::string& expression) {
  const auto all = made_by("return [" + expression + "]");
  return all.size() == 1 ? all[0] : Opaque{};
}

TEST(OracleProvenance, FollowsDrawsThroughArithmeticWithNumbers) {
  const std::map<std::string, Provenance> known{
      {"torch.rand(4, 4)", Uniform{0, 1}},
      {"torch.rand(4) * 2 - 1", Uniform{-1, 1}},
      {"2 * torch.rand(4) - 1", Uniform{-1, 1}},
      {"3 - torch.rand(4)", Uniform{2, 3}},
      {"-torch.rand(4) / 4", Uniform{-0.25, 0}},
      {"torch.rand(4).mul_(2).sub_(1)", Uniform{-1, 1}},
      {"torch.empty(4).uniform_(-1, 1)", Uniform{-1, 1}},
      {"torch.randn(4)", Normal{0, 1}},
      {"torch.randn(4) * -3 + 1", Normal{1, 3}},
      {"torch.randint(0, 10, (64,))", Integers{0, 10}},
      {"torch.randint(10, (64,))", Integers{0, 10}},
      {"torch.zeros(3)", Constant{0}},
      {"torch.ones(3, dtype=torch.int64)", Constant{1}},
      {"torch.full((3,), -2.5)", Constant{-2.5}},
      {"torch.full((3,), float('inf'))", Constant{std::numeric_limits<double>::infinity()}}};
  for (const auto& [expression, expected] : known) EXPECT_EQ(of(expression), expected) << expression;
}

TEST(OracleProvenance, FollowsViewsThatKeepAllElements) {
  for (const char* expression : {"torch.rand(4, 6).T", "torch.rand(4, 6).reshape(24).view(2, 12)",
                                 "torch.rand(4, 6).T.reshape(-1)", "torch.rand(4, 6).T.contiguous()",
                                 "torch.rand(2, 4).unsqueeze(0)", "torch.nn.Parameter(torch.rand(4))"})
    EXPECT_EQ(of(expression), Provenance(Uniform{})) << expression;
}

TEST(OracleProvenance, IsSilentOnEverythingElse) {
  for (const char* expression : {"torch.triu(torch.rand(4, 4))",
                                 "torch.rand(4) * torch.rand(4)",
                                 "torch.rand(4) * torch.rand(())",
                                 "(torch.rand(4) > 0.5).float()",
                                 "torch.randn(4).softmax(-1)",
                                 "torch.rand(4).half()",
                                 "torch.randint(0, 2, (4,)).float() * 2 - 1",
                                 "torch.randint(0, 2, (4,)).bool()",
                                 "torch.rand(4, 6)[:, :3]",
                                 "torch.rand(4, 1).expand(4, 4)",
                                 "torch.rand(4, 1).expand(4, 4).contiguous()",
                                 "torch.rand(8).unfold(0, 3, 1)",
                                 "torch.rand(4).view(torch.float16)",
                                 "torch.rand(4) * 0",
                                 "torch.rand(4) + 1e10",
                                 "torch.rand(4).sort()[0]",
                                 "torch.randperm(4)",
                                 "torch.tensor([1.0, 2.0])",
                                 "torch.cat([torch.rand(4), torch.rand(4)])",
                                 "kept",
                                 "kept.mul_(2)"})
    EXPECT_EQ(of(expression), Provenance(Opaque{})) << expression;
}

TEST(OracleProvenance, NoticesWritesAfterADraw) {
  EXPECT_THAT(made_by("x = torch.rand(4); x[0] = 5; return [x]"), ElementsAre(Opaque{}));
  EXPECT_THAT(made_by("x = torch.rand(4); x.view(2, 2)[0] = 5; return [x]"), ElementsAre(Opaque{}));
  EXPECT_THAT(made_by("x = torch.rand(4); x[1:].mul_(2); return [x]"), ElementsAre(Opaque{}));
  EXPECT_THAT(made_by("x = torch.rand(4); x.view(2, 2).mul_(2); return [x]"), ElementsAre(Uniform{0, 2}));
}

TEST(OracleProvenance, TrustsNoOtherSourceOfRandomness) {
  for (const char* expression :
       {"torch.rand(4, generator=torch.Generator().manual_seed(0))",
        "torch.from_numpy(__import__('numpy').random.rand(4)).float()",
        "torch.rand(4) * __import__('random').random()", "torch.rand(4) * __import__('time').time()",
        "torch.rand(4) if __import__('random').random() < 0.5 else torch.randn(4)",
        "torch.rand(4) * __import__('numpy').random.rand()"})
    EXPECT_EQ(of(expression), Provenance(Opaque{})) << expression;
  EXPECT_THAT(made_by("torch.manual_seed(0); return [torch.rand(4)]"), ElementsAre(Opaque{}));
  EXPECT_THAT(made_by("s = torch.get_rng_state(); x = torch.rand(4); torch.set_rng_state(s); "
                      "return [x, torch.rand(4)]"),
              ElementsAre(Opaque{}, Opaque{}));
}

TEST(OracleProvenance, IsKnownOnlyForIndependentInputs) {
  EXPECT_THAT(made_by("return [torch.rand(4, 3), torch.randint(0, 3, (4,)), 1.5]"),
              ElementsAre(Uniform{}, Integers{0, 3}));
  EXPECT_THAT(made_by("x = torch.rand(4); return [x, x * 2, torch.rand(4)]"),
              ElementsAre(Opaque{}, Opaque{}, Uniform{}));
  EXPECT_THAT(made_by("x = torch.rand(4); return [x, x > 0.5]"), ElementsAre(Opaque{}, Opaque{}));
}

}  // namespace
}  // namespace ridgeline::oracle
