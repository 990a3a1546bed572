#include "engine/compare/task_structure.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::compare {
namespace {

/// Methods that ask and compute nothing.
const std::set<std::string_view> questions = {
    "size",          "dim",          "numel",     "item",    "stride", "ndimension",
    "is_contiguous", "element_size", "device",    "dtype",   "get",    "append",
    "items",         "keys",         "values",    "format",  "Tensor", "is_tensor",
    "is_cuda",       "manual_seed",  "Generator", "no_grad", "finfo",  "iinfo"};

const std::set<std::string_view> reducing = {"sum",
                                             "mean",
                                             "prod",
                                             "max",
                                             "min",
                                             "amax",
                                             "amin",
                                             "argmax",
                                             "argmin",
                                             "std",
                                             "var",
                                             "var_mean",
                                             "norm",
                                             "vector_norm",
                                             "all",
                                             "any",
                                             "cumsum",
                                             "cumprod",
                                             "logsumexp",
                                             "softmax",
                                             "log_softmax",
                                             "median",
                                             "nansum",
                                             "trace",
                                             "matmul",
                                             "mm",
                                             "bmm",
                                             "mv",
                                             "dot",
                                             "addmm",
                                             "baddbmm",
                                             "addmv",
                                             "einsum",
                                             "tensordot",
                                             "linear",
                                             "outer",
                                             "conv1d",
                                             "conv2d",
                                             "conv3d",
                                             "kl_div",
                                             "layer_norm",
                                             "batch_norm",
                                             "group_norm",
                                             "mse_loss",
                                             "nll_loss",
                                             "instance_norm",
                                             "normalize",
                                             "cross_entropy",
                                             "avg_pool1d",
                                             "avg_pool2d",
                                             "max_pool2d",
                                             "adaptive_avg_pool2d",
                                             "conv_transpose2d",
                                             "scaled_dot_product_attention",
                                             "cosine_similarity",
                                             "pairwise_distance",
                                             "rms_norm",
                                             "aminmax",
                                             "matrix_norm"};

const std::set<std::string_view> indexing_by_data = {
    "gather",       "scatter",       "scatter_",    "scatter_add",   "scatter_add_",
    "index_select", "index_fill",    "index_fill_", "index_add",     "index_put",
    "index_put_",   "masked_select", "masked_fill", "masked_fill_",  "masked_scatter",
    "take",         "embedding",     "nonzero",     "sort",          "argsort",
    "topk",         "searchsorted",  "bucketize",   "grid_sample",   "repeat_interleave",
    "unique",       "where",         "nll_loss",    "cross_entropy", "fractional_max_pool2d"};

/// Functions of a file that make a module or its inputs, not what forward computes.
const std::set<std::string_view> not_computing = {"__init__", "get_inputs", "get_init_inputs"};

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

/// The text without comments, and without the functions that compute nothing.
std::string computing_text(std::string_view text) {
  std::string kept;
  bool skipping = false;
  std::size_t skipped_from = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto indent = indentation(line);
    const auto words = line.substr(indent);
    if (words.empty() || words.front() == '#') continue;
    if (skipping && indent > skipped_from) continue;
    skipping = false;
    if (words.starts_with("def ")) {
      const auto name = words.substr(4, std::min(words.find('('), words.size()) - 4);
      if (not_computing.contains(name)) {
        skipping = true;
        skipped_from = indent;
        continue;
      }
    }
    kept += line.substr(0, line.find(" #"));
    kept += '\n';
  }
  return kept;
}

/// The position after a literal in quotes, of three too.
std::size_t after_literal(std::string_view text, std::size_t at) {
  const std::string three(3, text[at]);
  const bool is_long = text.substr(at, 3) == three;
  const std::string close = is_long ? three : three.substr(0, 1);
  auto i = at + close.size();
  while (i < text.size() && text.substr(i, close.size()) != close) i += text[i] == '\\' ? 2 : 1;
  return std::min(i + close.size(), text.size());
}

constexpr std::array<std::string_view, 20> operator_signs = {
    "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->", "+",
    "-",  "*",  "/",  "%",  "@",  "&",  "|",  "^",  "<",  ">"};

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Whether nothing but spaces stands before `at` in its line.
bool begins_line(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at == 0 || text[at - 1] == '\n';
}

/// The names that the text defines as functions or methods.
std::set<std::string_view> functions_of(std::string_view text) {
  constexpr std::string_view keyword = "def ";
  std::set<std::string_view> names;
  for (auto at = text.find(keyword); at != std::string_view::npos; at = text.find(keyword, at)) {
    at += keyword.size();
    auto end = at;
    while (end < text.size() && in_word(text[end])) ++end;
    names.insert(text.substr(at, end - at));
  }
  return names;
}

/// Reads the text once, and counts.
class Counter {
 public:
  explicit Counter(TaskStructure& structure) : structure_(structure) {}

  void count(std::string_view text) {
    own_ = functions_of(text);
    for (std::size_t at = 0; at < text.size();) at = step(text, at);
  }

 private:
  std::size_t step(std::string_view text, std::size_t at) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      after_operand_ = true;
      return after_literal(text, at);
    }
    if (in_word(c)) return word(text, at);
    for (const auto sign : operator_signs)
      if (text.substr(at, sign.size()) == sign) {
        const bool decorates =
            sign == "@" && begins_line(text, at) && at + 1 < text.size() && in_word(text[at + 1]);
        structure_.operators += after_operand_ && sign != "->" && !decorates;
        after_operand_ = false;
        return at + sign.size();
      }
    if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      after_operand_ = c == ')' || c == ']';
      dotted_ = c == '.';
    }
    return at + 1;
  }

  std::size_t word(std::string_view text, std::size_t at) {
    auto end = at;
    while (end < text.size() && in_word(text[end])) ++end;
    if (is_digit(text[at]) && end + 1 < text.size() && std::tolower(text[end - 1]) == 'e' &&
        (text[end] == '-' || text[end] == '+') && is_digit(text[end + 1]))  // 1e-5 is one number
      for (++end; end < text.size() && in_word(text[end]);) ++end;
    const auto name = text.substr(at, end - at);
    if (dotted_ && end < text.size() && text[end] == '(' && !questions.contains(name) &&
        !(before_ == "self" && own_.contains(name))) {
      ++structure_.operators;
      structure_.reductions += reducing.contains(name);
      structure_.indexing += indexing_by_data.contains(name);
    }
    dotted_ = false;
    before_ = name;
    static const std::set<std::string_view> no_operands = {"return", "in", "and", "or", "not", "if", "else"};
    after_operand_ = !no_operands.contains(name);
    return end;
  }

  TaskStructure& structure_;
  std::set<std::string_view> own_;  // functions that the text defines, whose bodies are counted
  std::string_view before_;         // the word that was read last
  bool dotted_ = false;             // a point stands before
  bool after_operand_ = false;      // so that a sign has two sides
};

}  // namespace

TaskStructure structure_of(const Task& task) {
  TaskStructure structure;
  Counter(structure).count(computing_text(task.reference));
  for (const auto* tensor : task.tensors()) {
    structure.outputs += tensor->role != Role::in;
    if (tensor->state.empty())
      structure.rank = std::max(structure.rank, static_cast<int>(tensor->shape.size()));
    structure.indexing += !tensor->count.empty();
  }
  return structure;
}

}  // namespace ridgeline::compare
