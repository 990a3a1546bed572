#include "engine/worker/judge/correctness/public_rule.hpp"

#include "engine/verifier/faithful.hpp"
#include "engine/verifier/inputs.hpp"
#include "engine/verifier/on_device.hpp"

namespace ridgeline::judge {

bool passes_public_rule(PreparedTask& prepared, const PreparedCase& task_case,
                        const verifier::Reference& reference, int draws, const CallOn& call) {
  const auto& task = prepared.task();
  const auto& definition = task_case.definition();
  for (int draw = 0; draw < draws; ++draw) {
    const auto inputs = verifier::moved_to_reference_device(
        reference, task,
        verifier::draw_inputs(task, definition, InputSet::standard, prepared.random().next(), &reference));
    const auto expected = verifier::expect_own(reference, task, definition, inputs);
    const auto outputs = call(inputs);
    if (!outputs || !verifier::faithful_correct(task, expected, *outputs)) return false;
  }
  return true;
}

}  // namespace ridgeline::judge
