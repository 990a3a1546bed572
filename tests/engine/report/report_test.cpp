#include "engine/report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/report/chart.hpp"
#include "engine/report/embedded.hpp"
#include "engine/report/html.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"
#include "engine/store/writer.hpp"
#include "tests/engine/compare/trajectories.hpp"
#include "tests/engine/report/simulated_store.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::report {
namespace {

using namespace compare::samples;
using compare::Comparison;
using testing::HasSubstr;
using testing::Not;
namespace stored = store::samples;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

/// The first element that is not closed in order; "" if there is none. Enough for the HTML that we write,
/// where few tags stand alone. What stands in the script is no HTML.
std::string unbalanced(std::string html) {
  if (const auto script = html.find("<script>"); script != std::string::npos)
    html.erase(script, html.find("</script>") - script + 9);
  std::vector<std::string> open;
  for (auto at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const auto end = html.find('>', at);
    if (end == std::string::npos) return "a tag without an end";
    const auto tag = html.substr(at + 1, end - at - 1);
    if (tag.front() == '!' || tag.back() == '/' || tag.starts_with("meta") || tag.starts_with("link") ||
        tag.starts_with("input"))
      continue;
    if (tag.front() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
      continue;
    }
    if (open.empty() || open.back() != tag.substr(1)) return tag;
    open.pop_back();
  }
  return open.empty() ? "" : open.back();
}

TEST(HtmlReport, BeginsWithWhatFollows) {
  const auto html = html_report(two_strategies());
  EXPECT_THAT(html,
              HasSubstr("<strong>No difference is shown at equal budget</strong><p>loop &lt;b&gt; against"));
  EXPECT_LT(html.find("No difference is shown"), html.find("<svg class"));
  EXPECT_THAT(html, HasSubstr("<td>single / loop &lt;b&gt;</td>"));
}

TEST(HtmlReport, LoadsNothingFromElsewhere) {
  const auto html = html_report(two_strategies());
  for (const auto* outside : {"http:", "https:", "src=", "@import", "url(", "fetch("})
    EXPECT_THAT(html, Not(HasSubstr(outside)));
  EXPECT_EQ(count(html, "href=\""), count(html, "href=\"#") + 1)
      << "links within it, and an icon that is none";
  EXPECT_THAT(html, HasSubstr("@media print"));
}

TEST(HtmlReport, EscapesNamesAndClosesItsTags) {
  const auto html = html_report(two_strategies());
  EXPECT_EQ(unbalanced(html), "");
  EXPECT_THAT(html, Not(HasSubstr("loop <b>")));
  EXPECT_THAT(html, HasSubstr("loop &lt;b&gt;"));
  EXPECT_THAT(html, HasSubstr("a &amp; b"));
}

TEST(HtmlReport, DrawsEveryPart) {
  const auto html = html_report(two_strategies());
  for (const auto* name :
       {"aria-label=\"fast_p of each strategy", "aria-label=\"Speed-up kept of each strategy",
        "aria-label=\"Share solved of each strategy", "a dot a task\"",
        "aria-label=\"Kernels under the roofline of cpu", "aria-label=\"Share solved up to"})
    EXPECT_THAT(html, HasSubstr(name));
  EXPECT_THAT(html, HasSubstr("fp32 100 Gop/s"));
  EXPECT_THAT(html, Not(HasSubstr("nan")));
  EXPECT_THAT(html, Not(HasSubstr("inf,")));
}

TEST(HtmlReport, OffersABudgetOfEveryKindThatWasSpent) {
  const auto html = html_report(two_strategies());
  for (const auto* name : {">calls</label>", ">tokens</label>", ">USD</label>", ">evaluations</label>"})
    EXPECT_THAT(html, HasSubstr(name));
  EXPECT_THAT(html, Not(HasSubstr(">GPU seconds</label>"))) << "nothing was spent of it";
}

TEST(HtmlReport, IsWrittenWithoutAnyCorrectKernel) {
  for (const bool finished : {true, false}) {
    auto alone = trajectory("s", "t", {});
    if (!finished) alone.incomplete = "running";
    const auto html = html_report(compare::compare({alone}, {}));
    EXPECT_EQ(unbalanced(html), "");
    EXPECT_THAT(html, Not(HasSubstr("id=\"roofline\""))) << "no kernel to place";
    EXPECT_THAT(html, Not(HasSubstr("nan")));
  }
}

TEST(HtmlReport, MarksFlaggedKernelsOnTheRoofline) {
  const auto comparison =
      compare::compare({trajectory("single", "softmax", {flagged(9)})}, {.include_flagged = true});
  EXPECT_THAT(html_report(comparison), HasSubstr("memory bound, flagged"));
}

/// A store with two trajectories of one task, each with a candidate that fails and one that is correct.
class ReportOfAStore : public testing::Test {
 protected:
  ReportOfAStore() : store_(store::Store::open(folder_.path("store.db"), store::OpenMode::create_or_resume)) {
    store::Writer writer(store_, [](const std::function<void()>& work) { work(); });
    const auto task = stored::task();
    std::vector trajectories{stored::trajectory(task, 1), stored::trajectory(task, 2)};
    auto campaign = stored::campaign();
    writer.create(campaign, {task}, trajectories);
    for (const auto& trajectory : trajectories) {
      const auto number = static_cast<int>(trajectory.id);
      const auto first = stored::candidate(2 * number);
      const auto second = stored::candidate(2 * number + 1, {first.hash});
      writer.record(stored::ask(trajectory.id, 0, 0, &first), first, {});
      writer.record(stored::evaluation(trajectory.id, 0, 0,
                                       stored::failed_verdict(task.hash, first.hash, Stage::correctness,
                                                              Reason::wrong_values)),
                    {});
      writer.record(stored::ask(trajectory.id, 1, 0, &second), second, {});
      writer.record(stored::evaluation(trajectory.id, 1, 0, stored::correct_verdict(task.hash, second.hash)),
                    {});
      writer.set_state(trajectory.id, store::TrajectoryState::finished, "", 5, {});
    }
    writer.flush();
  }

  std::string html() const {
    const store::Reader reader(store_);
    return html_report(compare::compare({&reader}, {}), {{"a store.db", &reader}});
  }

  stored::Folder folder_;
  store::Store store_;
};

TEST_F(ReportOfAStore, LeadsFromATaskToPromptKernelAndRawSamples) {
  const auto page = html();
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_THAT(page, HasSubstr("<a href=\"#task-softmax\">softmax</a>"));
  EXPECT_THAT(page, HasSubstr("id=\"task-softmax\""));
  EXPECT_THAT(page, HasSubstr("href=\"#t0-1\">#1 "));
  EXPECT_THAT(page, HasSubstr("<details id=\"t0-1\">"));
  EXPECT_THAT(page, HasSubstr("You write kernels."));
  EXPECT_THAT(page, HasSubstr("what changed"));
  EXPECT_THAT(page, HasSubstr("small kernel, us: "));
  EXPECT_THAT(page, HasSubstr("2 trajectories with prompts"));
  EXPECT_THAT(page, Not(HasSubstr("not in this file")));
}

TEST_F(ReportOfAStore, HasEveryIdOnce) {
  const auto page = html();
  std::set<std::string> ids;
  for (auto at = page.find(" id=\""); at != std::string::npos; at = page.find(" id=\"", at + 1)) {
    const auto id = page.substr(at + 5, page.find('"', at + 5) - at - 5);
    EXPECT_TRUE(ids.insert(id).second) << id;
  }
  EXPECT_GT(ids.size(), 20u);
}

TEST_F(ReportOfAStore, EveryLinkWithinItLeadsSomewhere) {
  const auto page = html();
  for (auto at = page.find("href=\"#"); at != std::string::npos; at = page.find("href=\"#", at + 1)) {
    const auto id = page.substr(at + 7, page.find('"', at + 7) - at - 7);
    EXPECT_THAT(page, HasSubstr("id=\"" + id + "\"")) << id;
  }
}

TEST_F(ReportOfAStore, SaysHowItWasMade) {
  const auto page = html();
  EXPECT_THAT(page, HasSubstr("<td>quickstart</td><td>a store.db</td><td>2026-09-21 "));
  EXPECT_THAT(page, HasSubstr("ridgeline 0.1.0"));
  EXPECT_THAT(page, HasSubstr("ridgeline show &#39;a store.db&#39;")) << "a path as a shell reads it";
}

TEST_F(ReportOfAStore, SaysWhatIsLeftOut) {
  const store::Reader reader(store_);
  const auto comparison = compare::compare({&reader}, {});
  const auto page = html_report(comparison);  // without the store nothing of it can be in the file
  EXPECT_THAT(page, Not(HasSubstr("id=\"t0-1\"")));
  EXPECT_THAT(page, HasSubstr("<b class=\"y\">#1 "));
  EXPECT_THAT(page, HasSubstr("data-show=\"ridgeline show STORE\""));
}

/// Trajectories of a simulated campaign in a file that has room for some of them.
TEST(Embedding, TakesTheBestOfEachTaskAndStrategyFirst) {
  const stored::Folder folder;
  const auto opened = store::Store::open(folder.path("store.db"), store::OpenMode::create_or_resume);
  samples::simulate(opened, {.tasks = 2, .seeds = 3});
  const store::Reader reader(opened);
  const auto comparison = compare::compare({&reader}, {});
  const auto all = embed_trajectories(comparison, {{"s.db", &reader}}, 1 << 30);
  EXPECT_EQ(all.chosen.size(), 30u) << "5 strategies, 2 tasks, 3 seeds";
  const auto some = embed_trajectories(comparison, {{"s.db", &reader}}, all.html.size() * 11 / 30);
  EXPECT_EQ(some.chosen.size() + some.left_out, 30u);
  EXPECT_GE(some.chosen.size(), 9u);
  std::set<std::pair<std::size_t, std::string>> places;
  for (const auto index : some.chosen)
    places.emplace(comparison.trajectories[index].strategy, comparison.trajectories[index].task);
  EXPECT_EQ(places.size(), std::min<std::size_t>(10, some.chosen.size())) << "each once, before any again";
}

TEST(Html, MakesOneIdOfOneName) {
  EXPECT_EQ(id_of("level1_23-Softmax"), "level1_23-Softmax");
  EXPECT_NE(id_of("a b"), id_of("a.b"));
  EXPECT_THAT(id_of("<\">"), Not(HasSubstr("\"")));
}

TEST(Html, OneViewNeedsNoChoice) {
  EXPECT_EQ(views_html("v", "V", {{"a", "<p>1</p>"}}), "<p>1</p>");
  EXPECT_EQ(count(views_html("v", "V", {{"a", ""}, {"b", ""}}), "<input "), 2u);
}

TEST(Chart, PlacesValuesAccordingToItsAxes) {
  Chart chart({.title = "x", .low = 1, .high = 100, .logarithmic = true}, {.title = "y"});
  chart.dot({.x = 10, .y = 0.5, .tip = "middle"});
  EXPECT_THAT(chart.svg("d"), HasSubstr("translate(261.0 142.0)"));
}

TEST(Chart, LeadsWhereADotPoints) {
  Chart chart({.title = "x"}, {.title = "y"});
  chart.dot({.x = 0, .y = 0, .tip = "softmax", .target = "#task-softmax"});
  EXPECT_THAT(chart.svg("d"), HasSubstr("<a href=\"#task-softmax\" aria-label=\"softmax\">"));
}

TEST(Chart, StopsTabAtAFewDotsAlone) {
  for (const std::size_t number : {Chart::most_stops, Chart::most_stops + 1}) {
    Chart chart({.title = "x"}, {.title = "y"});
    chart.dots(std::vector<Dot>(number, {.tip = "a task", .target = "#task"}));
    EXPECT_EQ(count(chart.svg("d"), "tabindex=\"-1\""), number > Chart::most_stops ? number : 0);
  }
}

TEST(Chart, DrawsPointsOfOneSpotOnce) {
  Chart chart({.title = "x"}, {.title = "y"});
  chart.line({{0.5, 0.5}, {0.500001, 0.5}, {1, 1}}, "guide");
  EXPECT_THAT(chart.svg("d"), HasSubstr("points=\"261.0,142.0 468.0,26.0 \""));
}

}  // namespace
}  // namespace ridgeline::report
