#include "engine/core/feedback.hpp"

namespace ridgeline {
namespace {

struct Kind {
  std::string_view operator()(const SourceFeedback&) const { return "source"; }
  std::string_view operator()(const ErrorFeedback&) const { return "errors"; }
  std::string_view operator()(const TimeFeedback&) const { return "time"; }
  std::string_view operator()(const RooflineFeedback&) const { return "roofline"; }
  std::string_view operator()(const HistoryFeedback&) const { return "history"; }
  std::string_view operator()(const AncestorsFeedback&) const { return "ancestors"; }
  std::string_view operator()(const ReflectionFeedback&) const { return "reflection"; }
  std::string_view operator()(const AnswerFeedback&) const { return "answer"; }
  std::string_view operator()(const KnowledgeFeedback&) const { return "knowledge"; }
};

}  // namespace

std::string_view kind_of(const FeedbackData& data) {
  return std::visit(Kind{}, data);
}

}  // namespace ridgeline
