#include "engine/worker/languages/cuda/nvcc/script.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/shell_word.hpp"

namespace ridgeline::nvcc {
namespace {

using Words = Plan::Words;

// nvcc tells of a signal by number; the shell's own word for it ("Killed") goes to no log, as long as it is
// not the shell that redirects.
constexpr std::string_view kBegin = R"(trampoline=$1 headers=$3
exec 3>&2 2>/dev/null
printf %s "$2" >kernel.module_id
run() {
  log=$1.log name=$2
  shift 2
  (exec "$@") 2>"$log"
  status=$?
  [ $status -le 128 ] || [ $status -gt 192 ] || echo "nvcc error   : '$name' died due to signal $((status - 128)) " >>"$log"
  return $status
}
tell() {
  for step; do [ ! -s "$step.log" ] || cat "$step.log"; done >&3
}
)";

// The text behind the headers begins where the expansion enters the source. Macros know nothing of #pragma
// once, and messages would name their file: so silence is part of success.
constexpr std::string_view kExpand = R"(expand() {
  side=$1 text=$2
  shift 2
  "$@" -o "$side.rest.ii" 2>"$side.said" && [ ! -s "$side.said" ] &&
    { cat "$text" && sed -n '/^# 1 "kernel.cu"$/,$p' "$side.rest.ii"; } >"$side"
}
)";

std::string step(int number, const Words& words) {
  return fmt::format("run {} {} {}", number, script_word(words[0].substr(words[0].rfind('/') + 1)),
                     script_line(words));
}

/// Up to the end of both sides. `early` begins as soon as the host side has ended.
std::string both_sides(const std::string& host, const std::string& device, std::string_view early) {
  return fmt::format(R"(host() {{
  {}
}}
device() {{
  {}
}}
device & device=$!
host || {{ tell 1 2; exit 1; }}
{}wait $device || {{ tell 1 2 3 4 5 6; exit 1; }}
)",
                     host, device, early);
}

/// "expand … || run …" for the expansion of one side.
std::string expand_or(int number, const Words& whole, std::string_view text, std::string_view macros) {
  auto words = with_macros(whole, std::string{kHeadersWord}.append(macros));
  const std::string into = words.back();
  words.resize(words.size() - 2);  // "-o" and the file
  return fmt::format("{{ expand {} {} {} || {}; }}", into,
                     script_word(std::string{kHeadersWord}.append(text)), script_line(words),
                     step(number, whole));
}

/// Hands a file on to the compiler that waits for it, or to nobody: so the writer, which waits for a reader,
/// lets go of the script's output first.
std::string pass_on(std::string_view pipe) {
  const auto file = pipe.substr(pipe.find('/') + 1);
  return fmt::format("{{ (exec >/dev/null 3>&-; exec cat {} >{}) & }}", file, pipe);
}

/// Waits for the early compile. After a failure the script itself opens the FIFOs, without waiting for a
/// writer, so that writers which nobody read from end with it; and then fails.
std::string await_early() {
  return fmt::format("wait $early || {{ exec 4<>{} 5<>{}; false; }}", kStubPipe, kFatbinPipe);
}

/// The host's compiler over what follows the header that was read ahead.
std::string compile_early(const Plan& plan, std::uintmax_t header_bytes) {
  const auto header = std::string{kHeadersWord}.append(kHostHeader);
  Words words = plan.compile;
  words[words.size() - 3] = "early/kernel.cudafe1.cpp";  // the linker tells this name
  words.insert(words.end() - 3, {"-include", header});
  return fmt::format(R"(early() {{
  cmp -s -n {0} {1} kernel.cudafe1.cpp && tail -c +{2} kernel.cudafe1.cpp >early/kernel.cudafe1.cpp &&
    {3} 2>early.said && [ ! -s early.said ]
}}
)",
                     header_bytes, script_word(header), header_bytes + 1, script_line(words));
}

std::string finish(const Plan& plan, std::string_view early) {
  return fmt::format(R"({}{} || {{ tell 1 2 3 4 5 6 7; exit 1; }}
{}
status=$?
tell 1 2 3 4 5 6 7 8
exit $status
)",
                     early, step(7, plan.compile), step(8, plan.link));
}

}  // namespace

std::string script_word(std::string_view word) {
  std::string quoted;
  if (word == kTrampolineWord) return "\"$trampoline\"";
  for (const auto& [prefix, stands_for] :
       {std::pair{kFolderWord, "\"$PWD\"/"}, {kHeadersWord, "\"$headers\"/"}})
    if (word.starts_with(prefix)) {
      quoted = stands_for;
      word.remove_prefix(prefix.size());
    }
  return quoted + shell_quoted(word);
}

std::string script_line(const Words& words) {
  std::string line;
  for (const auto& word : words) line += (line.empty() ? "" : " ") + script_word(word);
  return line;
}

Words with_macros(Words words, const std::string& macros) {
  const auto at =
      std::ranges::search(words, std::initializer_list<std::string_view>{"-include", "cuda_runtime.h"});
  if (!at.empty()) {
    at.front() = "-imacros";
    *(at.begin() + 1) = macros;
  }
  return words;
}

std::string with_environment(const Plan& plan, const std::string& script) {
  std::string text;
  for (const auto& [name, value] : plan.environment)
    text += fmt::format("export {}={}\n", name, script_word(value));
  return text + script;
}

std::string script_without_headers(const Plan& plan) {
  const auto host = step(1, plan.expand_host) + " && " + step(2, plan.cudafe);
  const auto device = fmt::format("{} && {} && {} && {}", step(3, plan.expand_device), step(4, plan.cicc),
                                  step(5, plan.ptxas), step(6, plan.fatbinary));
  return with_environment(plan, std::string{kBegin} + both_sides(host, device, "") + finish(plan, ""));
}

std::string script_with_headers(const Plan& plan, std::uintmax_t header_bytes) {
  const auto host = expand_or(1, plan.expand_host, kHostText, kHostMacros) + " && " + step(2, plan.cudafe);
  const auto device =
      fmt::format("{} && {} && {} && {} && {} && {}",
                  expand_or(3, plan.expand_device, kDeviceText, kDeviceMacros), step(4, plan.cicc),
                  pass_on(kStubPipe), step(5, plan.ptxas), step(6, plan.fatbinary), pass_on(kFatbinPipe));
  return with_environment(plan, std::string{kBegin}.append(kExpand) + compile_early(plan, header_bytes) +
                                    both_sides(host, device, "early & early=$!\n") +
                                    finish(plan, await_early() + " || "));
}

}  // namespace ridgeline::nvcc
