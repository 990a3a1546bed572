// Arithmetic in a task's size symbols, as in `2 * M * N * K` or `ceil_div(N, 128) + 1`.
//
// Grammar: numbers, symbols, + - * / // % **, unary minus, parentheses, and the functions min, max, ceil_div,
// log2, sqrt. `/` is real division, `//` floors. Values are doubles, exact for integers up to 2^53.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ridgeline {

using Symbols = std::map<std::string, std::int64_t>;

class Expression {
 public:
  Expression() : Expression(parse("0")) {}

  /// Throws BadInput that quotes the text and the place in it.
  static Expression parse(const std::string& text);

  /// Throws BadInput naming the symbol when `symbols` lacks one.
  double evaluate(const Symbols& symbols) const;

  /// As `evaluate`, for sizes: throws BadInput unless the value is a whole number >= 0.
  std::int64_t size(const Symbols& symbols) const;

  const std::string& text() const { return text_; }
  /// Returns every symbol that occurs, each once, in order of first use.
  std::vector<std::string> symbols() const;

  struct Node;

 private:
  Expression(std::string text, std::shared_ptr<const Node> root)
      : text_(std::move(text)), root_(std::move(root)) {}

  std::string text_;
  std::shared_ptr<const Node> root_;  // immutable, so copies may share it between threads
};

}  // namespace ridgeline
