#include "tests/bench/adversary/options.hpp"

#include <charconv>

#include "engine/core/error.hpp"

namespace ridgeline::bench {
namespace {

const std::set<std::string> kLanguages{"cpp", "cuda", "python", "triton"};

[[noreturn]] void refuse(const std::string& problem) {
  throw BadInput(problem + "\n" + adversary_usage);
}

int read_repeat(const std::string& word) {
  int value = 0;
  const auto* const end = word.data() + word.size();
  const auto read = std::from_chars(word.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || value < 1) refuse("--repeat " + word + " is no number");
  return value;
}

}  // namespace

const char* const adversary_usage =
    "usage: bench-adversary [--short] [--language cpp|cuda|python|triton]... [--repeat N] "
    "[--only SUBSTRING]";

AdversaryOptions read_adversary_options(const std::vector<std::string>& words, bool brief) {
  AdversaryOptions options{.brief = brief};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& word = words[i];
    if (word != "--language" && word != "--repeat" && word != "--only") refuse("what is '" + word + "'?");
    if (++i == words.size()) refuse(word + " needs a value");
    const auto& value = words[i];
    if (word == "--language") {
      if (!kLanguages.contains(value)) refuse("no candidates in '" + value + "'");
      options.languages.insert(value);
    } else if (word == "--repeat") {
      options.repeat = read_repeat(value);
    } else {
      options.only = value;
    }
  }
  if (options.languages.empty())
    options.languages = options.brief ? std::set<std::string>{"cpp"} : kLanguages;
  return options;
}

}  // namespace ridgeline::bench
