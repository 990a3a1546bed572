// Keeping a text within a budget in tokens, least important lines first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::prompts {

/// Tokens of a text, estimated as a quarter of its bytes, rounded up. Code and logs run at 3 to 4 bytes a
/// token with the tokenizers in use, so a text in its budget may count a third more with a provider; the
/// estimate is the same for every model, which equal budgets need.
int estimate_tokens(std::string_view text);

/// Paragraphs or lines in the order in which they will stand, each with an importance.
class Excerpt {
 public:
  void add(std::string text, int importance);
  bool empty() const { return parts_.empty(); }

  /// The parts joined by newlines. If they do not fit, the least important go first, of equals the later, and
  /// a last line says how many went; a part that does not fit even alone is cut.
  std::string within(int tokens) const;

 private:
  struct Part {
    std::string text;
    int importance;
  };
  std::vector<Part> parts_;
};

}  // namespace ridgeline::prompts
