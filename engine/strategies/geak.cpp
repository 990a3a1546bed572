#include "engine/strategies/geak.hpp"

#include "engine/strategies/archive.hpp"
#include "engine/strategies/attempt_outcome.hpp"
#include "engine/strategies/repair_counter.hpp"
#include "engine/strategies/seeding.hpp"
#include "engine/strategies/stopper.hpp"

namespace ridgeline::strategies {
namespace {

struct Slot {
  RepairCounter repairs;
  RepairCounter repairs_before = repairs;            // as it was before this round's prompt
  ScoredCandidatePtr last = nullptr;                 // the latest candidate with a verdict
  std::string reflection = {};                       // the critic's words about `last`
  std::optional<Answer> answer_without_kernel = {};  // the last one since the verdict on `last`
  bool last_is_new = false;                          // `last` came in this round: a critic reflects on it

  bool passed() const { return last && last->verdict.correct(); }
};

/// GEAK's optimizer: shows all ancestors and asks for a change of the fastest.
Ask optimize(const Archive& archive, const GeakSettings& settings) {
  auto ask = first_ask("geak/optimize", settings.temperature);
  ask.change = archive.best();
  ask.feedback.push_back(ancestors_of(archive.worst_to_best()));
  return ask;
}

/// Adds, as GEAK does, the file nearest to the last code; nearest to the task if `about` is null.
void add_knowledge(Ask& ask, ScoredCandidatePtr about, const GeakSettings& settings) {
  if (settings.knowledge == Knowledge::bm25)
    ask.feedback.push_back(knowledge_near(std::move(about), settings.knowledge_tokens));
}

Ask generate(const GeakSettings& settings) {
  auto ask = first_ask("geak/generate", settings.temperature);
  add_knowledge(ask, nullptr, settings);
  return ask;
}

Ask debug(const Slot& slot, const GeakSettings& settings) {
  auto ask = first_ask("geak/debug", settings.temperature);
  ask.change = slot.last;
  add_knowledge(ask, slot.last, settings);
  ask.feedback.push_back(source_of(slot.last));
  ask.feedback.push_back(errors_of(slot.last, settings.feedback_tokens));
  if (!slot.reflection.empty())
    ask.feedback.push_back(reflection_on(slot.last, slot.reflection, settings.feedback_tokens));
  return ask;
}

Ask next_ask(Slot& slot, const Archive& archive, const GeakSettings& settings) {
  Ask ask;
  slot.repairs_before = slot.repairs;
  if (!archive.empty() && (slot.passed() || slot.repairs.exhausted())) {
    slot.repairs.reset();
    ask = optimize(archive, settings);
  } else if (slot.last) {
    // As in GEAK, repairs count only once there are ancestors to return to.
    if (!archive.empty()) slot.repairs.count();
    ask = debug(slot, settings);
  } else {
    ask = generate(settings);
  }
  if (slot.answer_without_kernel) ask.feedback.push_back(problem_with(*slot.answer_without_kernel));
  return ask;
}

void learn(Slot& slot, const Attempt& attempt, Archive& archive) {
  slot.last_is_new = false;
  switch (outcome_of(attempt)) {
    case AttemptOutcome::correct:
    case AttemptOutcome::incorrect:
      slot.last = attempt.evaluated;
      slot.answer_without_kernel.reset();
      slot.reflection.clear();  // it described the candidate before
      slot.last_is_new = true;
      archive.offer(slot.last);
      return;
    case AttemptOutcome::no_kernel:
      slot.answer_without_kernel = attempt.answer;
      return;
    default:
      // An outage: nothing was learnt, so the slot's next prompt is of the same kind again.
      slot.repairs = slot.repairs_before;
  }
}

/// GEAK's reflector: chooses one of three templates by the stage that the candidate reached.
Ask reflect(const Slot& slot, const GeakSettings& settings) {
  const auto& verdict = slot.last->verdict;
  const auto failed = verdict.failed_at();
  const bool runs = failed != Stage::build && failed != Stage::call;
  auto ask = first_ask(verdict.correct() ? "geak/reflect_performance"
                       : runs            ? "geak/reflect_correctness"
                                         : "geak/reflect_build",
                       settings.temperature);
  ask.model = settings.critic;
  ask.critic = true;
  ask.feedback.push_back(source_of(slot.last));
  if (verdict.correct()) {
    ask.feedback.push_back(times_of(slot.last, settings.feedback_tokens));
    ask.feedback.push_back(roofline_of(slot.last, settings.feedback_tokens));
  } else {
    ask.feedback.push_back(errors_of(slot.last, settings.feedback_tokens));
  }
  return ask;
}

}  // namespace

SettingTable<GeakSettings> geak_table() {
  using S = GeakSettings;
  return SettingTable<S>()
      .integer("rounds", &S::rounds, 1, 10000, "rounds of attempts")
      .integer("candidates", &S::candidates, 1, 100, "slots that attempt in each round, side by side")
      .integer("keep", &S::keep, 1, 100, "ancestors kept, the fastest correct ones")
      .integer("repairs", &S::repairs, 1, 1000,
               "failing repairs of a slot before it returns to the ancestors")
      .choice("knowledge", &S::knowledge,
              "one file of the campaign's knowledge folder in first and debug prompts: none, or by bm25")
      .integer("knowledge_tokens", &S::knowledge_tokens, 50, 100000, "budget of that file")
      .text("critic", &S::critic,
            "the campaign's model role that reflects; empty: the trajectory's own model")
      .integer("feedback_tokens", &S::feedback_tokens, 50, 100000,
               "budget of errors, times, roofline and reflection, each")
      .real("temperature", &S::temperature, 0, 2, "sampling temperature of attempts and reflections");
}

int geak_calls(const GeakSettings& settings) {
  return settings.candidates * (2 * settings.rounds - 1);
}

Routine<> geak(Effects& effects, Brief, GeakSettings settings) {
  Archive archive(settings.keep);
  std::vector<Slot> slots(static_cast<std::size_t>(settings.candidates),
                          Slot{RepairCounter(settings.repairs)});
  Stopper stopper(settings.rounds);
  while (!stopper.done()) {
    const int round = stopper.round();
    std::vector<Ask> asks;
    for (auto& slot : slots) asks.push_back(next_ask(slot, archive, settings));
    const auto attempts = co_await effects.attempt_all(round, std::move(asks));
    // The budget refuses all of a batch or its tail: slots that went on alone would be another algorithm.
    if (any_out_of_budget(attempts)) co_return;
    for (std::size_t i = 0; i < slots.size(); ++i) learn(slots[i], attempts[i], archive);
    stopper.round_ended(attempts);
    if (stopper.done()) co_return;

    std::vector<Slot*> reflected;  // slot of each critique
    std::vector<Ask> critiques;
    for (auto& slot : slots)
      if (slot.last_is_new) {
        reflected.push_back(&slot);
        critiques.push_back(reflect(slot, settings));
      }
    if (critiques.empty()) continue;
    const auto answers = co_await effects.ask_all(round, std::move(critiques));
    if (any_out_of_budget(answers)) co_return;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (answers[i].answer.status != AnswerStatus::prose) continue;  // the prompt goes without a reflection
      reflected[i]->reflection = answers[i].answer.text;
      archive.annotate(reflected[i]->last->candidate.hash, answers[i].answer.text);
    }
  }
}

}  // namespace ridgeline::strategies
