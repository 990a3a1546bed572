#include "engine/strategies/iterative.hpp"

#include "engine/strategies/attempt_outcome.hpp"
#include "engine/strategies/chain.hpp"
#include "engine/strategies/seeding.hpp"
#include "engine/strategies/stopper.hpp"

namespace ridgeline::strategies {
namespace {

/// Shows errors or times, never both: an incorrect kernel's times say nothing.
std::vector<Feedback> feedback_on(const Chain& chain, const IterativeSettings& settings) {
  std::vector<Feedback> items{source_of(chain.latest())};
  if (settings.feedback != FeedbackSet::g) {
    const bool correct = chain.latest()->verdict.correct();
    items.push_back(correct ? times_of(chain.latest(), settings.feedback_tokens)
                            : errors_of(chain.latest(), settings.feedback_tokens));
    if (correct && settings.feedback == FeedbackSet::g_e_p)
      items.push_back(roofline_of(chain.latest(), settings.feedback_tokens));
  }
  if (!chain.earlier().empty()) items.push_back(history_of(chain.earlier(), settings.feedback_tokens));
  return items;
}

Ask next_ask(const Chain& chain, const IterativeSettings& settings) {
  auto ask = with_examples_and_hardware(first_ask("iterative/generate", settings.temperature), settings);
  if (chain.latest()) {
    ask.role = settings.edit == AnswerForm::diff ? "iterative/refine_diff" : "iterative/refine";
    ask.change = chain.latest();
    ask.feedback = feedback_on(chain, settings);
  }
  if (chain.answer_without_kernel()) ask.feedback.push_back(problem_with(*chain.answer_without_kernel()));
  return ask;
}

}  // namespace

SettingTable<IterativeSettings> iterative_table() {
  using S = IterativeSettings;
  return SettingTable<S>()
      .integer("rounds", &S::rounds, 1, 10000, "calls in the chain, the first attempt counted")
      .choice(
          "feedback", &S::feedback,
          "what a refinement is told: g the latest kernel, g_e also errors or times, g_e_p also the roofline")
      .choice("edit", &S::edit, "whole: answer with the whole file; diff: with search-and-replace blocks")
      .integer("history", &S::history, 0, 100, "earlier attempts to list, a line each")
      .integer("feedback_tokens", &S::feedback_tokens, 50, 100000,
               "budget of errors, times and roofline, each")
      .real("temperature", &S::temperature, 0, 2, temperature_help)
      .choice("examples", &S::examples, examples_help)
      .flag("hardware", &S::hardware, hardware_help);
}

Routine<> iterative(Effects& effects, Brief, IterativeSettings settings) {
  Chain chain(settings.history);
  Stopper stopper(settings.rounds);
  while (!stopper.done()) {
    // A batch of one request. Built before the co_await, inside which g++ 12 miscompiles temporaries.
    std::vector<Ask> asks{next_ask(chain, settings)};
    const auto attempts = co_await effects.attempt_all(stopper.round(), std::move(asks));
    if (any_out_of_budget(attempts)) co_return;
    chain.learn(attempts.front());
    stopper.round_ended(attempts);
  }
}

}  // namespace ridgeline::strategies
