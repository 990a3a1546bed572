#include "engine/campaign/terminal_progress.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace ridgeline::campaign {
namespace {

/// What a campaign of four trajectories prints after a call of 0.25 USD and 10 seconds.
std::string printed(const Terminal& terminal) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  double now = 0;
  {
    TerminalProgress progress(out, terminal, 40, [&now] { return now; });
    progress.planned(4, 0);
    now = 10;
    store::AskRecord ask;
    ask.status = AnswerStatus::kernel;
    ask.usd = 0.25;
    progress.answered("softmax/loop/0", 0, ask);
    progress.evaluated("softmax/loop/0", 0, {});
    ask.status = AnswerStatus::no_code;
    ask.detail = "an answer that says at great length and in many words why it holds no code at all";
    progress.answered("softmax/loop/0", 1, ask);
  }
  std::fclose(out);
  std::string result(text, size);
  std::free(text);
  return result;
}

TEST(TerminalProgress, SaysWhatIsLeftAndWhatWasSpent) {
  const auto text = printed({.columns = 80});
  EXPECT_NE(text.find("[0/4] 0 correct of 1, at most 4 min left, 0.25 USD, 1 calls"), std::string::npos)
      << text;
}

TEST(TerminalProgress, FitsItsTerminal) {
  for (const std::size_t columns : {40u, 80u}) {
    const auto text = printed({.columns = columns});
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find_first_of("\n\r", at), text.size());
      auto line = text.substr(at, end - at);
      if (line.starts_with("\x1b[K")) line.erase(0, 3);
      EXPECT_LE(text_width(line), columns) << line;
      at = end + 1;
    }
  }
}

TEST(TerminalProgress, PrintsPlainLinesWhereThereIsNoTerminal) {
  const auto text = printed({});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\r'), std::string::npos);
  EXPECT_NE(
      text.find("softmax/loop/0 round 1: no_code: an answer that says at great length and in many words "
                "why it holds no code at all\n"),
      std::string::npos);
}

TEST(TerminalProgress, UsesColoursOnlyWhereThereAreSome) {
  EXPECT_EQ(printed({.columns = 80}).find("\x1b[3"), std::string::npos);
  EXPECT_NE(printed({.columns = 80, .colours = true}).find("\x1b[31mno_code\x1b[0m"), std::string::npos);
}

}  // namespace
}  // namespace ridgeline::campaign
