#include "engine/worker/languages/torch_extension/source_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <set>
#include <utility>

namespace ridgeline::torch_extension {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

enum class Kind { other, blank, word };

Kind kind_of(char c) {
  if (std::isspace(static_cast<unsigned char>(c))) return Kind::blank;
  return c == '_' || std::isalnum(static_cast<unsigned char>(c)) ? Kind::word : Kind::other;
}

/// Returns the text with long words and runs of blanks cut, and long lines broken. A regular expression takes
/// the stack for each character that it repeats: a source with 60'000 blanks in a row ended the whole worker.
std::string shortened(std::string_view text) {
  constexpr std::size_t most_of_a_kind = 256, most_of_a_line = 4000;
  std::string out;
  std::size_t run = 0, line = 0;
  bool broken = false;  // a line ended where blanks are cut
  auto before = Kind::other;
  for (const char c : text) {
    const auto kind = kind_of(c);
    run = kind != Kind::other && kind == before ? run + 1 : 0;
    before = kind;
    if (run >= most_of_a_kind) {
      broken = broken || c == '\n';
      continue;
    }
    line = c == '\n' ? 0 : line + 1;
    if (broken || (line > most_of_a_line && kind != Kind::word)) {
      out += '\n';
      line = 0;
      broken = false;
    }
    out += c;
  }
  return out;
}

bool matches(const std::string& text, const char* pattern) {
  return std::regex_search(shortened(text), std::regex(pattern, std::regex::optimize));
}

using HeaderOf = std::pair<std::string_view, std::string_view>;

/// Maps what follows "std::" to its header. Names not here bring all headers of the table.
constexpr auto kStandard = std::to_array<HeaderOf>({
    {"vector", "vector"},
    {"string", "string"},
    {"to_string", "string"},
    {"stoi", "string"},
    {"optional", "optional"},
    {"nullopt", "optional"},
    {"make_optional", "optional"},
    {"tuple", "tuple"},
    {"make_tuple", "tuple"},
    {"tie", "tuple"},
    {"get", "tuple"},
    {"ignore", "tuple"},
    {"array", "array"},
    {"runtime_error", "stdexcept"},
    {"invalid_argument", "stdexcept"},
    {"out_of_range", "stdexcept"},
    {"logic_error", "stdexcept"},
    {"domain_error", "stdexcept"},
    {"length_error", "stdexcept"},
    {"overflow_error", "stdexcept"},
    {"range_error", "stdexcept"},
    {"exception", "exception"},
    {"cout", "iostream"},
    {"cerr", "iostream"},
    {"endl", "iostream"},
    {"ostringstream", "sstream"},
    {"stringstream", "sstream"},
    {"function", "functional"},
    {"plus", "functional"},
    {"multiplies", "functional"},
    {"map", "map"},
    {"unordered_map", "unordered_map"},
    {"set", "set"},
    {"unique_ptr", "memory"},
    {"make_unique", "memory"},
    {"shared_ptr", "memory"},
    {"make_shared", "memory"},
    {"once_flag", "mutex"},
    {"call_once", "mutex"},
    {"mutex", "mutex"},
    {"lock_guard", "mutex"},
    {"atomic", "atomic"},
    {"complex", "complex"},
    {"numeric_limits", "limits"},
    {"accumulate", "numeric"},
    {"iota", "numeric"},
    {"sort", "algorithm"},
    {"fill", "algorithm"},
    {"fill_n", "algorithm"},
    {"copy", "algorithm"},
    {"all_of", "algorithm"},
    {"any_of", "algorithm"},
    {"find", "algorithm"},
    {"reverse", "algorithm"},
    {"clamp", "algorithm"},
    {"max_element", "algorithm"},
    {"min_element", "algorithm"},
    {"transform", "algorithm"},
});

/// Lists names that the slim headers, or nvcc itself, include anyway: <cmath>, <cstdint>, <cstdlib>,
/// <cstring>, <cstdio>, <type_traits>, <utility>, <initializer_list>.
constexpr auto kFree = std::to_array<std::string_view>({"abs",
                                                        "fabs",
                                                        "sqrt",
                                                        "cbrt",
                                                        "exp",
                                                        "exp2",
                                                        "expm1",
                                                        "log",
                                                        "log2",
                                                        "log10",
                                                        "log1p",
                                                        "pow",
                                                        "sin",
                                                        "cos",
                                                        "tan",
                                                        "asin",
                                                        "acos",
                                                        "atan",
                                                        "atan2",
                                                        "sinh",
                                                        "cosh",
                                                        "tanh",
                                                        "erf",
                                                        "floor",
                                                        "ceil",
                                                        "round",
                                                        "lround",
                                                        "trunc",
                                                        "fmod",
                                                        "fma",
                                                        "fmax",
                                                        "fmin",
                                                        "isnan",
                                                        "isinf",
                                                        "isfinite",
                                                        "nearbyint",
                                                        "rint",
                                                        "hypot",
                                                        "lgamma",
                                                        "tgamma",
                                                        "max",
                                                        "min",
                                                        "size_t",
                                                        "ptrdiff_t",
                                                        "int8_t",
                                                        "uint8_t",
                                                        "int16_t",
                                                        "uint16_t",
                                                        "int32_t",
                                                        "uint32_t",
                                                        "int64_t",
                                                        "uint64_t",
                                                        "uintptr_t",
                                                        "intptr_t",
                                                        "nullptr_t",
                                                        "is_same",
                                                        "is_same_v",
                                                        "enable_if",
                                                        "enable_if_t",
                                                        "conditional_t",
                                                        "decay_t",
                                                        "conditional",
                                                        "integral_constant",
                                                        "true_type",
                                                        "false_type",
                                                        "remove_cv_t",
                                                        "forward",
                                                        "move",
                                                        "swap",
                                                        "exchange",
                                                        "pair",
                                                        "make_pair",
                                                        "declval",
                                                        "memcpy",
                                                        "memset",
                                                        "memcmp",
                                                        "strlen",
                                                        "printf",
                                                        "fprintf",
                                                        "snprintf",
                                                        "malloc",
                                                        "free",
                                                        "getenv",
                                                        "initializer_list",
                                                        "index_sequence",
                                                        "make_index_sequence",
                                                        "is_floating_point",
                                                        "is_integral",
                                                        "bad_alloc",
                                                        "is_floating_point_v",
                                                        "is_integral_v",
                                                        "signbit",
                                                        "copysign",
                                                        "remainder",
                                                        "ldexp"});

void add_all(std::set<std::string_view>& headers) {
  for (const auto& [name, header] : kStandard) headers.insert(header);
  for (const char* header : {"random", "chrono", "thread", "list", "queue", "deque", "unordered_set",
                             "iomanip", "bitset", "variant", "string_view", "cassert", "fstream"})
    headers.insert(header);
}

void add_standard(std::set<std::string_view>& headers, const std::string& code) {
  static const std::regex named("\\bstd\\s*::\\s*(\\w+)", std::regex::optimize);
  if (contains(code, "using namespace std")) return add_all(headers);
  const auto text = shortened(code);
  for (std::sregex_iterator at(text.begin(), text.end(), named), end; at != end; ++at) {
    const std::string name = (*at)[1];
    bool known = std::find(kFree.begin(), kFree.end(), name) != kFree.end();
    for (const auto& [word, header] : kStandard)
      if (word == name) known = true, headers.insert(header);
    if (!known) return add_all(headers);
  }
}

/// The standard headers that the source includes by itself, so that they come before the slim headers, which
/// look at what is there.
void add_included(std::set<std::string_view>& headers, std::string_view source) {
  std::set<std::string_view> known;
  add_all(known);
  for (const auto header : known)
    if (contains(source, "<" + std::string(header) + ">")) headers.insert(header);
}

void add_cuda(std::set<std::string_view>& headers, const std::string& code, std::string_view source) {
  const auto used = [&](const char* pattern) { return matches(code, pattern); };
  if (contains(source, "cuda_fp16.h") || contains(source, "mma.h") ||
      used("\\b(__)?half2?(_raw)?\\b|2half|half2?2|\\b__h(add|sub|mul|div|fma|max|min|neg|abs|eq|ne|lt|le|gt|"
           "ge)|\\bh(exp|sqrt|rsqrt|log|tanh)\\b"))
    headers.insert("cuda_fp16.h");
  if (contains(source, "cuda_bf16.h") ||
      used("bfloat162?\\b.*__|__nv_bfloat|\\bnv_bfloat|2bfloat16|bfloat162"))
    headers.insert("cuda_bf16.h");
  if (used("cublas|CUDABlas")) headers.insert("cublas_v2.h");
  if (contains(code, "cusparse")) headers.insert("cusparse.h");
}

}  // namespace

std::string without_comments_and_literals(std::string_view source) {
  std::string code(source);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, code.size()); ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  std::size_t i = 0;
  while (i < code.size()) {
    const std::string_view rest = source.substr(i);
    if (rest.starts_with("//")) {
      const auto end = std::min(source.find('\n', i), source.size());
      blank(i, end);
      i = end;
    } else if (rest.starts_with("/*")) {
      const auto close = source.find("*/", i + 2);
      const auto end = close == std::string_view::npos ? source.size() : close + 2;
      blank(i, end);
      i = end;
    } else if (rest[0] == '"' ||
               (rest[0] == '\'' && (i == 0 || !std::isalnum(static_cast<unsigned char>(source[i - 1]))))) {
      auto end = i + 1;
      while (end < source.size() && source[end] != rest[0] && source[end] != '\n')
        end += source[end] == '\\' ? 2 : 1;
      blank(i + 1, end);
      i = end + 1;
    } else {
      ++i;
    }
  }
  return code;
}

bool only_declares(std::string_view source) {
  const auto code = without_comments_and_literals(source);
  return !contains(code, "{") && !matches(code, "(^|\\n)[ \\t]*#(?![ \\t]*include)");
}

bool exports_without_its_header(std::string_view source) {
  const auto code = without_comments_and_literals(source);
  return matches(code, "PYBIND11_MODULE|\\bpy::|\\bpybind11::") && !contains(source, "torch/extension.h") &&
         !contains(source, "pybind11/");
}

std::string slim_prelude(std::string_view source) {
  const auto code = without_comments_and_literals(source);
  std::set<std::string_view> headers;
  add_standard(headers, code);
  add_included(headers, source);
  add_cuda(headers, code, source);
  if (matches(code, "\\.\\s*vec\\s*\\(")) headers.insert("vector");
  if (contains(code, "optional")) headers.insert("optional");
  if (matches(code, "\\bassert\\s*\\(")) headers.insert("cassert");
  if (matches(code, "\\.\\s*str\\s*\\(|\\.\\s*msg\\s*\\(")) headers.insert("string");
  std::string prelude;
  for (const auto header : headers) prelude += "#include <" + std::string(header) + ">\n";
  return prelude;
}

}  // namespace ridgeline::torch_extension
