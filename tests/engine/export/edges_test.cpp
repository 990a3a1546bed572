// Finds the attempts of a trajectory that make a transition.
#include "engine/export/edges.hpp"

#include <gtest/gtest.h>

#include "tests/engine/store/samples.hpp"

namespace ridgeline::exporting {
namespace {

namespace stored = store::samples;

Verdict lost() {
  Verdict verdict;
  verdict.at(Stage::build).status = Status::passed;
  verdict.at(Stage::call) = {Status::unavailable, Reason::judge_failed, "the judge died", 0};
  return verdict;
}

Verdict wrong() {
  return stored::failed_verdict("task", "", Stage::correctness, Reason::wrong_values);
}

class EdgesTest : public testing::Test {
 protected:
  /// `number` of the candidate; `parent` of the one that its prompt asked to change, 0 for none.
  void attempt(int number, int parent, const Verdict& verdict) {
    const auto step = static_cast<int>(trajectory.attempts.size());
    const auto candidate = stored::candidate(
        number, parent > 0 ? std::vector{stored::candidate(parent).hash} : std::vector<Hash>{});
    auto ask = stored::ask(1, step, 0, &candidate);
    ask.change = parent > 0 ? stored::candidate(parent).hash : "";
    trajectory.attempts.push_back({ask, candidate, stored::evaluation(1, step, 0, verdict)});
  }

  ExportedTrajectory trajectory;
};

TEST_F(EdgesTest, MakesNoEdgeFromOrToAnUnjudgedCandidate) {
  attempt(1, 0, wrong());
  attempt(2, 1, lost());
  attempt(3, 2, stored::correct_verdict("task", ""));
  const auto found = edges_of(trajectory);
  EXPECT_TRUE(found.edges.empty());
  EXPECT_EQ(found.left_out.at("not judged: the machine failed"), 2);
  EXPECT_FALSE(is_judged(trajectory.attempts[1]));
  EXPECT_TRUE(was_evaluated(trajectory.attempts[1]));
}

TEST_F(EdgesTest, MakesAnEdgeFromACandidateThatWasJudgedLater) {
  attempt(1, 0, lost());
  attempt(1, 0, wrong());
  attempt(2, 1, stored::correct_verdict("task", ""));
  const auto found = edges_of(trajectory);
  ASSERT_EQ(found.edges.size(), 1u);
  EXPECT_EQ(found.edges[0].before, &trajectory.attempts[1]);
  EXPECT_EQ(found.edges[0].transition.kind, TransitionKind::correctness_fail_to_pass);
  EXPECT_TRUE(found.left_out.empty());
}

}  // namespace
}  // namespace ridgeline::exporting
