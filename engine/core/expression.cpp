#include "engine/core/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "engine/core/error.hpp"

namespace ridgeline {

struct Expression::Node {
  std::string op;  // "num", "sym", an operator, or a function's name
  double number = 0;
  std::string symbol;
  std::vector<std::shared_ptr<const Node>> args;
};

namespace {

// Parsing and evaluating recurse at least once a character: 200,000 parentheses overflowed the stack.
constexpr std::size_t longest_expression = 1000;

using NodePtr = std::shared_ptr<const Expression::Node>;

NodePtr make(std::string op, std::vector<NodePtr> args) {
  return std::make_shared<Expression::Node>(Expression::Node{std::move(op), 0, {}, std::move(args)});
}

/// Parses by recursive descent, with one method for each level of precedence.
class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  NodePtr parse() {
    auto node = sum();
    skip_space();
    if (at_ != text_.size()) fail("unexpected text");
    return node;
  }

 private:
  NodePtr sum() {
    auto left = product();
    for (;;) {
      if (take("+"))
        left = make("+", {left, product()});
      else if (take("-"))
        left = make("-", {left, product()});
      else
        return left;
    }
  }

  NodePtr product() {
    auto left = unary();
    for (;;) {
      if (!peek("**") && take("*"))
        left = make("*", {left, unary()});
      else if (take("//"))
        left = make("//", {left, unary()});
      else if (take("/"))
        left = make("/", {left, unary()});
      else if (take("%"))
        left = make("%", {left, unary()});
      else
        return left;
    }
  }

  NodePtr unary() {
    if (take("-")) return make("neg", {unary()});
    auto base = primary();
    if (take("**")) return make("**", {base, unary()});
    return base;
  }

  NodePtr primary() {
    skip_space();
    if (take("(")) {
      auto inner = sum();
      if (!take(")")) fail("a ')' is missing");
      return inner;
    }
    if (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.'))
      return number();
    const auto word = identifier();
    if (word.empty()) fail("a number, a symbol or '(' is expected");
    if (!take("(")) return std::make_shared<Expression::Node>(Expression::Node{"sym", 0, word, {}});
    return call(word);
  }

  NodePtr number() {
    const char* begin = text_.c_str() + at_;
    char* end = nullptr;
    const double value = std::strtod(begin, &end);
    if (end == begin) fail("a number is expected");
    at_ += static_cast<std::size_t>(end - begin);
    return std::make_shared<Expression::Node>(Expression::Node{"num", value, {}, {}});
  }

  NodePtr call(const std::string& name) {
    std::vector<NodePtr> args{sum()};
    while (take(",")) args.push_back(sum());
    if (!take(")")) fail("a ')' is missing");
    const std::size_t wanted = (name == "log2" || name == "sqrt") ? 1 : 2;
    if (name != "min" && name != "max" && name != "ceil_div" && name != "log2" && name != "sqrt")
      fail("unknown function '" + name + "' (known: min, max, ceil_div, log2, sqrt)");
    if (args.size() != wanted) fail(fmt::format("{} takes {} argument(s)", name, wanted));
    return make(name, std::move(args));
  }

  std::string identifier() {
    skip_space();
    std::size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_'))
      ++end;
    auto word = text_.substr(at_, end - at_);
    at_ = end;
    return word;
  }

  bool peek(const char* token) {
    skip_space();
    return text_.compare(at_, std::char_traits<char>::length(token), token) == 0;
  }
  bool take(const char* token) {
    if (!peek(token)) return false;
    at_ += std::char_traits<char>::length(token);
    return true;
  }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw BadInput(fmt::format("in the expression '{}' at character {}: {}", text_, at_ + 1, what));
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

double value_of(const Expression::Node& node, const Symbols& symbols, const std::string& text) {
  if (node.op == "num") return node.number;
  if (node.op == "sym") {
    const auto found = symbols.find(node.symbol);
    if (found == symbols.end())
      throw BadInput(
          fmt::format("the expression '{}' uses '{}', which no size of the case defines", text, node.symbol));
    return static_cast<double>(found->second);
  }
  // Operands left to right, as the text has them: the first missing symbol is the one that is named.
  const double a = value_of(*node.args[0], symbols, text);
  if (node.op == "neg") return -a;
  if (node.op == "log2") return std::log2(a);
  if (node.op == "sqrt") return std::sqrt(a);
  const double b = value_of(*node.args[1], symbols, text);
  if (node.op == "+") return a + b;
  if (node.op == "-") return a - b;
  if (node.op == "*") return a * b;
  if (node.op == "**") return std::pow(a, b);
  if (node.op == "min") return std::min(a, b);
  if (node.op == "max") return std::max(a, b);
  if (b == 0) throw BadInput(fmt::format("the expression '{}' divides by zero", text));
  if (node.op == "/") return a / b;
  if (node.op == "//") return std::floor(a / b);
  // The remainder has the divisor's sign, as in Python, whose readers write the tasks.
  if (node.op == "%") return a - std::floor(a / b) * b;
  return std::ceil(a / b);  // ceil_div
}

void collect(const Expression::Node& node, std::vector<std::string>& into) {
  if (node.op == "sym" && std::find(into.begin(), into.end(), node.symbol) == into.end())
    into.push_back(node.symbol);
  for (const auto& arg : node.args) collect(*arg, into);
}

}  // namespace

Expression Expression::parse(const std::string& text) {
  if (text.size() > longest_expression)
    throw BadInput(fmt::format("the expression that begins with '{}' has {} characters; at most {} are read",
                               text.substr(0, 20), text.size(), longest_expression));
  return Expression(text, Parser(text).parse());
}

double Expression::evaluate(const Symbols& symbols) const {
  return value_of(*root_, symbols, text_);
}

std::int64_t Expression::size(const Symbols& symbols) const {
  const double value = evaluate(symbols);
  // Written so that NaN fails too. Above 2^53 a double skips whole numbers.
  if (!(value >= 0) || value != std::floor(value) || value > 0x1p53)
    throw BadInput(fmt::format("the expression '{}' gives {}, which is no size", text_, value));
  return static_cast<std::int64_t>(value);
}

std::vector<std::string> Expression::symbols() const {
  std::vector<std::string> names;
  collect(*root_, names);
  return names;
}

}  // namespace ridgeline
