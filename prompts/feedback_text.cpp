#include "prompts/feedback_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/core/error.hpp"
#include "prompts/ancestors_digest.hpp"
#include "prompts/error_digest.hpp"
#include "prompts/history_digest.hpp"
#include "prompts/knowledge_digest.hpp"
#include "prompts/roofline_digest.hpp"
#include "prompts/task_text.hpp"
#include "prompts/text.hpp"
#include "prompts/time_digest.hpp"

namespace ridgeline::prompts {
namespace {

/// `kind` is core's name of a feedback item, and the template variable that it fills.
struct Section {
  std::string_view kind, heading;
};
constexpr auto sections = std::to_array<Section>({{"source", "The kernel"},
                                                  {"errors", "What went wrong with it"},
                                                  {"time", "How fast it is"},
                                                  {"roofline", "How far it is from the roofline"},
                                                  {"history", "Attempts before it"},
                                                  {"ancestors", "Kernels so far, worst first"},
                                                  {"reflection", "A review of it"},
                                                  {"answer", "Your last answer could not be used"},
                                                  {"knowledge", "A kernel to learn from"}});

/// Cuts by the same estimate of tokens that digests use (token_budget.hpp).
std::string cut_to(std::string_view text, int tokens) {
  return cut(text, static_cast<std::size_t>(std::max(tokens, 0)) * 4);
}

struct Digest {
  const Task& task;
  int tokens;
  const KnowledgeIndex* knowledge;

  std::string operator()(const SourceFeedback& item) const {
    const auto& candidate = item.about->candidate;
    return fenced(cut_to(clean(candidate.source), tokens), traits(candidate.language).fence);
  }
  std::string operator()(const ErrorFeedback& item) const { return error_digest(*item.about, task, tokens); }
  std::string operator()(const TimeFeedback& item) const {
    return time_digest(item.about->verdict, task, tokens);
  }
  std::string operator()(const RooflineFeedback& item) const {
    return roofline_digest(item.about->verdict, task, tokens);
  }
  std::string operator()(const HistoryFeedback& item) const { return history_digest(item, task, tokens); }
  std::string operator()(const AncestorsFeedback& item) const { return ancestors_digest(item, task, tokens); }
  std::string operator()(const ReflectionFeedback& item) const {
    return cut_to(trim(clean(item.text)), tokens);
  }
  std::string operator()(const AnswerFeedback& item) const {
    return cut_to(trim(clean(item.problem)), tokens);
  }
  std::string operator()(const KnowledgeFeedback& item) const {
    if (knowledge == nullptr)
      throw BadInput("the strategy retrieves from a corpus and the campaign has none: add knowledge: DIR");
    return knowledge_digest(item, task, *knowledge, tokens);
  }
};

}  // namespace

bool is_feedback_kind(std::string_view name) {
  return std::any_of(sections.begin(), sections.end(),
                     [&](const Section& section) { return section.kind == name; });
}

std::string feedback_text(std::string_view kind, const std::vector<Feedback>& items, const Task& task,
                          const KnowledgeIndex* knowledge) {
  const auto section =
      std::find_if(sections.begin(), sections.end(), [&](const Section& s) { return s.kind == kind; });
  std::string text;
  for (const auto& item : items) {
    if (kind_of(item.data) != kind) continue;
    const auto digest = std::visit(Digest{task, item.token_budget, knowledge}, item.data);
    if (!digest.empty()) text += fmt::format("{}{}", text.empty() ? "" : "\n\n", digest);
  }
  return text.empty() ? "" : fmt::format("## {}\n\n{}", section->heading, text);
}

}  // namespace ridgeline::prompts
