#include "prompts/reasons.hpp"

#include "engine/core/secret_cases.hpp"
#include "prompts/text.hpp"

namespace ridgeline::prompts {

// Clauses give the usual cause beside the fact, so that a model knows where to look.
std::string_view in_words(Reason reason) {
  switch (reason) {
    case Reason::none:
      return "failed";
    case Reason::compile_error:
      return "does not compile";
    case Reason::build_timeout:
      return "takes too long to compile";
    case Reason::build_limits:
      return "needs more memory or output than the compiler is given";
    case Reason::missing_entry_point:
      return "does not define the function that was asked for, with its exact name and extern \"C\"";
    case Reason::forbidden_flag:
      return "asks for a compiler flag that is not allowed";
    case Reason::load_error:
      return "cannot be loaded: a symbol is unresolved or a static constructor failed";
    case Reason::crashed:
      return "crashed";
    case Reason::timed_out:
      return "did not finish in time";
    case Reason::exited:
      return "ended its process instead of returning";
    case Reason::memory_limit:
      return "used more memory than allowed";
    case Reason::sandbox_violation:
      return "made a system call that is not allowed";
    case Reason::launch_error:
      return "failed to launch on the device";
    case Reason::raised:
      return "raised an exception, or returned something else than the task asks for";
    case Reason::wrong_values:
      return "wrote wrong values";
    case Reason::wrong_count:
      return "wrote a wrong number of rows";
    case Reason::out_of_bounds_write:
      return "wrote outside its buffers";
    case Reason::input_modified:
      return "changed one of its inputs";
    case Reason::nondeterministic:
      return "gave different results for the same inputs";
    case Reason::not_quantized:
      return "computed without the quantization that the task asks for";
    case Reason::lower_precision:
      return "shows the error of a lower precision than the task allows";
    case Reason::falls_back:
      return "computes by PyTorch's operators, and kernels of your own are wanted";
    case Reason::wrong_when_timed:
      return "was right when it was checked and wrong when it was timed: it carries something over between "
             "calls";
    case Reason::timing_disputed:
      return "could not be timed: two clocks disagree, as with work that goes on after the call returns";
    case Reason::implausible:
      return "is faster than moving the data can be: it does not do the work in the call";
    case Reason::compiler_missing:
    case Reason::counters_refused:
    case Reason::judge_failed:
    case Reason::worker_lost:
    case Reason::task_rejected:
    case Reason::unsupported:
      return "could not be judged, which is not its fault";
  }
  return "failed";
}

std::string_view in_words(Pattern pattern) {
  switch (pattern) {
    case Pattern::not_written:
      return "elements were never written: work is skipped, or written elsewhere";
    case Pattern::all_zero:
      return "the output is all zeros";
    case Pattern::constant:
      return "the output is one constant";
    case Pattern::not_finite:
      return "infinities or NaN where numbers belong: an overflow, a division by zero, or garbage read";
    case Pattern::shifted:
      return "the right values, displaced along the last axis: an index is off by a constant";
    case Pattern::transposed:
      return "the right values, transposed: two axes or strides are swapped";
    case Pattern::permuted:
      return "the right values in wrong places: axes are permuted, or an index is computed wrongly";
    case Pattern::tail:
      return "only the end is wrong: a remainder is not handled";
    case Pattern::head:
      return "only the beginning is wrong";
    case Pattern::rows:
      return "whole rows are wrong";
    case Pattern::columns:
      return "whole columns are wrong";
    case Pattern::tile:
      return "a rectangular block is wrong";
    case Pattern::border:
      return "only the border is wrong: padding or a bound is handled wrongly";
    case Pattern::scaled:
      return "all off by about one factor: a scale or a normalisation is missing or applied twice";
    case Pattern::precision:
      return "many elements, all close: too low a precision or an unstable order of summation";
    case Pattern::scattered:
      return "wrong elements are scattered";
  }
  return "";
}

std::string_view in_words(InputSet input_set) {
  switch (input_set) {
    case InputSet::standard:
      return "standard inputs";
    case InputSet::outlier:
      return "inputs with outliers";
    case InputSet::edge:
      return "edge values";
  }
  return "";
}

std::string safe_detail(const StageResult& stage, const Task& task) {
  // The whole text goes: what is left of a sentence without the name could still say the sizes.
  if (names_any(stage.detail, secret_cases(task))) return "";
  return clean(stage.detail);
}

}  // namespace ridgeline::prompts
