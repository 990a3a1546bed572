#include "prompts/kernel_finder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/core/signature.hpp"
#include "prompts/code_text.hpp"
#include "prompts/edits.hpp"
#include "prompts/fences.hpp"
#include "prompts/text.hpp"

namespace ridgeline::prompts {
namespace {

bool any_of(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether a block is never the kernel, whatever it holds: output, shell commands, another language.
bool is_something_else(const Block& block, Language language) {
  static constexpr auto others = std::to_array<std::string_view>(
      {"text", "txt", "plaintext", "bash", "sh", "shell", "console", "output", "json", "yaml", "cmake",
       "makefile", "asm", "log", "diff", "patch", "udiff", "math", "latex"});
  const bool python = block.info == "python" || block.info == "py";
  const bool c_like = traits(language).syntax == Syntax::c;
  return any_of(others, block.info) || (python && c_like);
}

/// Whether code begins with this line. Without a fence, prose may stand before it.
bool begins_code(std::string_view line, Language language) {
  static constexpr auto c_like = std::to_array<std::string_view>(
      {"#include", "#pragma", "#define", "#if", "//", "/*", "extern \"C\"", "using ", "namespace ",
       "template", "static ", "inline ", "constexpr ", "typedef ", "struct ", "__global__", "__device__"});
  static constexpr auto python =
      std::to_array<std::string_view>({"import ", "from ", "@", "def ", "class ", "\"\"\""});
  const auto starts = [&](std::string_view word) { return line.substr(0, word.size()) == word; };
  return traits(language).syntax == Syntax::c ? std::any_of(c_like.begin(), c_like.end(), starts)
                                              : std::any_of(python.begin(), python.end(), starts);
}

class Finder {
 public:
  Finder(std::string_view text, const Task& task, Language language)
      : text_(text), task_(task), language_(language) {}

  /// The order is that of confidence: a definition, a whole file, JSON, bare text.
  FoundKernel find() {
    for (auto& block : code_blocks(text_)) sort(std::move(block));
    if (from_defining_blocks() || from_files() || from_json(text_) || from_bare_text())
      return std::move(found_);
    found_.problem = why_none();
    return std::move(found_);
  }

 private:
  void sort(Block block) {
    // Edits hold code but are no source: their markers would not compile.
    if (search_replace_edits(block.body).any()) return;
    if (looks_like_unified_diff(block.body, block.info)) {
      found_.diff = block.body;
      found_.diff_begin = block.begin;
      return;
    }
    if (block.info == "json" && json_.empty()) json_ = block.body;
    if (!is_something_else(block, language_) && !is_blank(block.body)) blocks_.push_back(std::move(block));
  }

  bool defines(std::string_view source) const { return defines_entry_point(source, task_, language_); }

  bool take(std::string_view source, bool defines_kernel, bool complete, std::size_t begin) {
    found_.source = tidy(source);
    found_.defines = defines_kernel;
    found_.complete = complete;
    found_.begin = begin;
    return true;
  }

  bool from_defining_blocks() {
    const Block* chosen = nullptr;
    for (const auto& block : blocks_) {
      if (!defines(block.body)) continue;
      const bool whole = block.complete || is_balanced(block.body, language_);
      if (!whole) cut_off_ = true;
      // The last one: models correct themselves. An unfinished block does not displace a finished one.
      if (whole && (!chosen || block.complete || !chosen->complete)) chosen = &block;
    }
    if (!chosen) return false;
    // With other blocks in front, the definition must still be recognised.
    const auto source = with_headers(*chosen);
    return take(source, source == chosen->body || defines(source), chosen->complete, chosen->begin);
  }

  /// Some models give headers and helpers in blocks of their own before the kernel's.
  std::string with_headers(const Block& chosen) const {
    const auto has_headers = [](const Block& block) {
      return block.body.find("#include") != std::string::npos;
    };
    if (has_headers(chosen)) return chosen.body;
    std::string before;
    bool headers = false;
    for (const auto& block : blocks_) {
      if (&block == &chosen) break;
      if (!block.complete || defines(block.body)) continue;
      headers = headers || has_headers(block);
      before += block.body + "\n";
    }
    return headers ? before + chosen.body : chosen.body;
  }

  /// A file that defines another name goes to the build, whose message tells the model what is wrong.
  bool from_files() {
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
      if (!looks_like_file(block->body, task_, language_)) continue;
      const bool whole = block->complete || is_balanced(block->body, language_);
      if (!whole) cut_off_ = true;
      if (whole) return take(block->body, false, block->complete, block->begin);  // else taken before
    }
    return false;
  }

  /// {"thought": …, "code": …}, as GEAK's prompts ask for it.
  bool from_json(std::string_view text) {
    // Parsed without exceptions: most answers that begin with a brace are code.
    const auto document = trim(json_.empty() ? text : std::string_view(json_));
    if (document.empty() || document.front() != '{') return false;
    const auto parsed = nlohmann::json::parse(document, nullptr, false);
    if (!parsed.is_object()) return false;
    for (const auto* key : {"code", "kernel", "source"}) {
      const auto value = parsed.find(key);
      if (value == parsed.end() || !value->is_string()) continue;
      auto source = clean(value->get<std::string>());
      for (const auto& block : code_blocks(source)) source = block.body;
      if (looks_like_file(source, task_, language_)) return take(source, defines(source), true, 0);
    }
    return false;
  }

  /// Takes code without any fence, from the first line that looks like code to the last brace.
  bool from_bare_text() {
    if (!blocks_.empty() || !found_.diff.empty() || search_replace_edits(text_).any()) return false;
    std::size_t offset = 0, begin = std::string_view::npos;
    for (const auto line : lines_of(text_)) {
      if (begin == std::string_view::npos && begins_code(line, language_)) begin = offset;
      offset += line.size() + 1;
    }
    if (begin == std::string_view::npos) return false;
    auto source = text_.substr(begin);
    if (!defines(source)) return false;
    if (traits(language_).syntax == Syntax::c) {
      const auto last = code_only(source, language_).rfind('}');
      source = source.substr(0, last == std::string::npos ? source.size() : last + 1);
    }
    if (is_balanced(source, language_)) return take(source, defines(source), true, begin);
    cut_off_ = true;
    return false;
  }

  /// Becomes feedback to the model, so it says what to do.
  std::string why_none() const {
    if (is_blank(text_)) return "The answer is empty.";
    if (cut_off_)
      return "The code ends before it is complete: the answer was cut off. A shorter one may fit.";
    if (blocks_.empty()) return "The answer holds no code block.";
    return fmt::format("No code block of the answer defines `{}`.",
                       entry_point(task_, answer_form(task_, language_).value_or(Form::module)));
  }

  std::string_view text_;
  const Task& task_;
  Language language_;
  std::vector<Block> blocks_;
  std::string json_;
  bool cut_off_ = false;
  FoundKernel found_;
};

}  // namespace

FoundKernel find_kernel(std::string_view text, const Task& task, Language language) {
  return Finder(text, task, language).find();
}

}  // namespace ridgeline::prompts
