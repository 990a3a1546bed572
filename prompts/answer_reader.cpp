#include "prompts/answer_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/signature.hpp"
#include "prompts/code_text.hpp"
#include "prompts/edits.hpp"
#include "prompts/kernel_finder.hpp"
#include "prompts/module_answers.hpp"
#include "prompts/reasoning.hpp"
#include "prompts/text.hpp"

namespace ridgeline::prompts {
namespace {

/// A model builds on every source that it saw, so each is a parent. The fastest ancestor comes first of them:
/// it stands last in the prompt.
std::vector<Hash> parents_of(const Ask& ask) {
  std::vector<Hash> parents;
  const auto add = [&](const ScoredCandidatePtr& parent) {
    if (parent && std::find(parents.begin(), parents.end(), parent->candidate.hash) == parents.end())
      parents.push_back(parent->candidate.hash);
  };
  add(ask.change);
  for (const auto& item : ask.feedback) {
    if (const auto* source = std::get_if<SourceFeedback>(&item.data)) add(source->about);
    if (const auto* all = std::get_if<AncestorsFeedback>(&item.data))
      std::for_each(all->ancestors.rbegin(), all->ancestors.rend(), add);
  }
  return parents;
}

class Reader {
 public:
  Reader(const Ask& ask, const Brief& brief) : ask_(ask), brief_(brief) {}

  Answer read(std::string_view raw) {
    const auto text = clean(raw);
    const auto parts = split_reasoning(text);
    answer_.text = std::string(trim(parts.answer));
    if (ask_.critic) return critique();
    read_kernel(answer_.text);
    // A model that ran out of tokens while it thought may have written the kernel there already.
    if (answer_.status == AnswerStatus::no_code && parts.unclosed) read_reasoning(parts.reasoning);
    return std::move(answer_);
  }

 private:
  Answer critique() {
    answer_.status = answer_.text.empty() ? AnswerStatus::no_code : AnswerStatus::prose;
    if (answer_.text.empty()) answer_.detail = "The answer is empty.";
    return std::move(answer_);
  }

  void read_kernel(std::string_view text) {
    const auto found = find_kernel(text, brief_.task, brief_.language);
    const auto edits = edits_in(text, found);
    // Models that edit often quote the parent first: the quote is not the answer, the edits behind it are.
    const bool repeats_parent = ask_.change && found.source == tidy(clean(ask_.change->candidate.source));
    const bool edits_come_last =
        edits.any() && (!found.defines || edits.begin > found.begin || repeats_parent);
    if (edits_come_last) return apply(edits);
    if (!found.source.empty()) return take(found.source);
    answer_.status = AnswerStatus::no_code;
    answer_.detail = found.problem;
  }

  Edits edits_in(std::string_view text, const FoundKernel& found) const {
    auto edits = search_replace_edits(text);
    // Search-and-replace is what prompts ask for, so it goes before a diff in the same answer.
    if (edits.any() || found.diff.empty()) return edits;
    edits = unified_edits(found.diff);
    edits.begin = found.diff_begin;
    return edits;
  }

  void apply(const Edits& edits) {
    answer_.status = AnswerStatus::diff_failed;
    if (!ask_.change) {
      answer_.detail =
          "The answer edits a kernel, and there is none yet: the whole source file was asked for.";
      return;
    }
    if (!edits.problem.empty()) {
      answer_.detail = fmt::format("The edits cannot be read: {}.", edits.problem);
      return;
    }
    const auto edited = apply_edits(clean(ask_.change->candidate.source), edits.edits);
    if (edited.source)
      take(*edited.source);
    else
      answer_.detail = fmt::format("The edits do not apply: {}.", edited.problem);
  }

  void read_reasoning(std::string_view reasoning) {
    const auto found = find_kernel(reasoning, brief_.task, brief_.language);
    // Drafts are cut off anywhere, so only a block that was closed counts.
    if (found.defines && found.complete)
      take(found.source);
    else
      answer_.detail = "The reasoning was not finished and no answer follows it.";
  }

  void take(std::string source) {
    answer_.status = AnswerStatus::kernel;
    answer_.detail.clear();
    source = tidy(source);
    if (module_may_answer(brief_.task, brief_.language) && defines_module(source, brief_.language) &&
        !defines_kernel(source, brief_.task, brief_.language))
      source = with_kernel_of_module(source, brief_.task);
    answer_.candidate = make_candidate(brief_.language, std::move(source), parents_of(ask_));
  }

  const Ask& ask_;
  const Brief& brief_;
  Answer answer_;
};

}  // namespace

Answer read_answer(std::string_view text, const Ask& ask, const Brief& brief) {
  return Reader(ask, brief).read(text);
}

}  // namespace ridgeline::prompts
