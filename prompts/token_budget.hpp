// Keeps a text within a budget of tokens by leaving out its least important lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::prompts {

/// Estimates the tokens of a text as a quarter of its bytes, rounded up. Code and logs run at 3 to 4 bytes a
/// token with the tokenizers in use, so a text in its budget may count a third more with a provider; the
/// estimate is the same for every model, which equal budgets need.
int estimate_tokens(std::string_view text);

/// Collects paragraphs or lines in the order in which they will stand, each with an importance.
class Excerpt {
 public:
  void add(std::string text, int importance);
  bool empty() const { return parts_.empty(); }

  /// Joins the parts with newlines. If they do not fit, the least important are left out first (the later of
  /// equals), and a last line says how many; a part that does not fit even alone is cut.
  std::string within(int tokens) const;

 private:
  struct Part {
    std::string text;
    int importance;
  };
  std::vector<Part> parts_;
};

}  // namespace ridgeline::prompts
