#include "engine/worker/languages/cuda/nvcc/plan.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <map>

namespace ridgeline::nvcc {
namespace {

using Words = Plan::Words;
using Environment = std::map<std::string, std::string, std::less<>>;

bool name_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Words of a line of shell, of which no more is understood than quotes and variables of `environment`.
class ShellLine {
 public:
  ShellLine(std::string_view text, const Environment& environment) : text_(text), environment_(environment) {}

  std::optional<Words> words() {
    while (at_ < text_.size())
      if (!read()) return std::nullopt;
    if (quoted_) return std::nullopt;
    finish();
    return std::move(words_);
  }

 private:
  bool read() {
    const char c = text_[at_++];
    if (c == '"') return quoted_ = !quoted_, begun_ = true;
    if (c == '$') return variable();
    if (c == ' ' && !quoted_) return finish(), true;
    if (c == '\\' || c == '`' || (!quoted_ && std::string_view{"'|&;<>()*?[]#~!{}\t"}.find(c) != npos))
      return false;
    word_ += c;
    return begun_ = true;
  }

  bool variable() {
    std::string name;
    while (at_ < text_.size() && name_letter(text_[at_])) name += text_[at_++];
    const auto known = environment_.find(name);
    if (known == environment_.end()) return false;
    word_ += known->second;
    return begun_ = true;
  }

  void finish() {
    if (begun_) words_.push_back(std::move(word_));
    word_.clear();
    begun_ = false;
  }

  static constexpr auto npos = std::string_view::npos;
  std::string_view text_;
  const Environment& environment_;
  std::size_t at_ = 0;
  bool quoted_ = false, begun_ = false;
  std::string word_;
  Words words_;
};

/// "CICC_PATH" of "CICC_PATH=/usr/local/cuda/nvvm/bin".
std::string_view assigned_name(std::string_view line) {
  const auto end = std::ranges::find_if_not(line, name_letter);
  const auto name = line.substr(0, static_cast<std::size_t>(end - line.begin()));
  return end != line.end() && *end == '=' ? name : std::string_view{};
}

bool has(const Words& words, std::initializer_list<std::string_view> run) {
  return !std::ranges::search(words, run).empty();
}

bool ends(const Words& words, std::initializer_list<std::string_view> run) {
  return words.size() >= run.size() && std::equal(run.begin(), run.end(), words.end() - std::ssize(run));
}

bool is(const Words& words, std::string_view program) {
  return !words.empty() && words[0].substr(words[0].rfind('/') + 1) == program;
}

bool as_known(const Plan& plan) {
  const auto& host = plan.compile[0];
  const auto expands = [&](const Words& words, std::string_view into) {
    return words[0] == host && has(words, {"-E"}) && has(words, {"-include", "cuda_runtime.h"}) &&
           ends(words, {"kernel.cu", "-o", into});
  };
  return expands(plan.expand_host, "kernel.cpp4.ii") && expands(plan.expand_device, "kernel.cpp1.ii") &&
         is(plan.cudafe, "cudafe++") && has(plan.cudafe, {"--gen_c_file_name", "kernel.cudafe1.cpp"}) &&
         has(plan.cudafe, {"--module_id_file_name", "kernel.module_id", "kernel.cpp4.ii"}) &&
         is(plan.cicc, "cicc") && has(plan.cicc, {"--module_id_file_name", "kernel.module_id"}) &&
         has(plan.cicc, {"--stub_file_name", "kernel.cudafe1.stub.c"}) &&
         ends(plan.cicc, {"kernel.cpp1.ii", "-o", "kernel.ptx"}) && is(plan.ptxas, "ptxas") &&
         ends(plan.ptxas, {"kernel.ptx", "-o", "kernel.cubin"}) && is(plan.fatbinary, "fatbinary") &&
         ends(plan.fatbinary, {"--embedded-fatbin=kernel.fatbin.c"}) && has(plan.compile, {"-c"}) &&
         ends(plan.compile, {"kernel.cudafe1.cpp", "-o", "kernel.o"}) && plan.link[0] == host &&
         has(plan.link, {"-shared"}) && has(plan.link, {"kernel.o", kTrampolineWord}) &&
         ends(plan.link, {"-o", "kernel.so"});
}

}  // namespace

std::optional<Plan> parse_dryrun(std::string_view said, const std::string& folder) {
  constexpr std::string_view mark = "#$ ";
  Plan plan;
  Environment known;
  std::vector<Words> steps;
  while (!said.empty()) {
    auto line = said.substr(0, said.find('\n'));
    said.remove_prefix(std::min(line.size() + 1, said.size()));
    if (!line.starts_with(mark)) return std::nullopt;  // a warning of nvcc's own, which it has to repeat
    line.remove_prefix(mark.size());
    if (const auto name = assigned_name(line); !name.empty()) {
      known.emplace(name, line.substr(name.size() + 1));
      continue;
    }
    auto words = ShellLine{line, known}.words();
    if (!words || words->empty()) return std::nullopt;
    for (auto& word : *words)
      if (word.starts_with(folder + '/')) word.replace(0, folder.size() + 1, kFolderWord);
    steps.push_back(std::move(*words));
  }
  if (steps.size() != 8) return std::nullopt;
  auto& own_id = steps[1];
  if (std::erase(own_id, "--gen_module_id_file") != 1) return std::nullopt;
  for (const char* name : {"PATH", "LD_LIBRARY_PATH", "CICC_PATH", "NVVMIR_LIBRARY_DIR"})
    if (const auto value = known.find(name); value != known.end()) plan.environment.emplace_back(*value);
  std::size_t next = 0;
  for (auto* step : {&plan.expand_host, &plan.cudafe, &plan.expand_device, &plan.cicc, &plan.ptxas,
                     &plan.fatbinary, &plan.compile, &plan.link})
    *step = std::move(steps[next++]);
  return as_known(plan) ? std::optional{std::move(plan)} : std::nullopt;
}

}  // namespace ridgeline::nvcc
