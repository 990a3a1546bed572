#include "prompts/diagnostics.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include "prompts/text.hpp"

namespace ridgeline::prompts {
namespace {

struct Place {
  std::string_view path;
  int line = 0, column = 0;
};

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

/// Removes ":12" from the end and returns the number.
std::optional<int> take_number(std::string_view& text) {
  const auto colon = text.rfind(':');
  if (colon == npos) return std::nullopt;
  const auto value = number(text.substr(colon + 1));
  if (value) text = text.substr(0, colon);
  return value;
}

/// Reads "path:12:7" (g++, clang), "path:12" or "path(12)" (nvcc).
Place place_of(std::string_view text) {
  Place place;
  if (!text.empty() && text.back() == ')') {
    const auto open = text.rfind('(');
    const auto line = open == npos ? std::nullopt : number(text.substr(open + 1, text.size() - open - 2));
    if (line) return {text.substr(0, open), *line, 0};
  }
  place.path = text;
  const auto last = take_number(place.path);
  const auto before = last ? take_number(place.path) : std::nullopt;
  if (before) {
    place.line = *before;
    place.column = *last;
  } else if (last) {
    place.line = *last;
  }
  return place;
}

struct Marker {
  std::string_view text;
  Severity severity;
};

// Texts between the place and the message. The first that occurs in a line decides.
constexpr auto markers = std::to_array<Marker>({{": fatal error: ", Severity::error},
                                                {": catastrophic error: ", Severity::error},
                                                {": internal compiler error: ", Severity::error},
                                                {": error: ", Severity::error},
                                                {": warning: ", Severity::warning},
                                                {": note: ", Severity::note},
                                                {":   required from ", Severity::note}});

/// Finds the word before nvcc's numbers of messages: "k.cu(7): error #20-D: …", "warning #177-D: …".
std::optional<std::pair<std::size_t, std::size_t>> numbered_marker(std::string_view line,
                                                                   std::string_view word) {
  const auto at = line.find(word);
  if (at == npos) return std::nullopt;
  const auto colon = line.find(": ", at + word.size());
  if (colon == npos || colon - at > 24) return std::nullopt;
  return std::pair{at, colon + 2};
}

std::optional<Diagnostic> make(std::string_view where, Severity severity, std::string_view message) {
  const auto place = place_of(where);
  Diagnostic one;
  const auto slash = place.path.find_last_of('/');
  one.file = std::string(slash == npos ? place.path : place.path.substr(slash + 1));
  // "cc1plus: error: …" names a tool, not a file.
  if (place.line == 0 && one.file.find('.') == npos) one.file.clear();
  one.line = place.line;
  one.column = place.column;
  one.severity = severity;
  one.message = std::string(trim(message));
  // Messages in headers of the system are mostly consequences of an error in the kernel.
  one.system = place.path.substr(0, 5) == "/usr/" || place.path.find("/include/") != npos;
  return one;
}

/// The linker names object files and offsets, which mean nothing to whoever wrote the source: they are left
/// out.
std::optional<Diagnostic> from_linker(std::string_view line) {
  for (const std::string_view what :
       {"undefined reference to ", "multiple definition of ", "undefined symbol: "}) {
    const auto at = line.find(what);
    if (at != npos) return make("", Severity::error, line.substr(at));
  }
  return std::nullopt;
}

std::optional<Diagnostic> from_ptxas(std::string_view line) {
  // "ptxas /tmp/x.ptx, line 25; error   : …": a line of the assembly, not of the source.
  constexpr std::string_view in_assembly = "; error   : ";
  if (const auto at = line.find(in_assembly); at != npos && line.substr(0, 6) == "ptxas ")
    return make("", Severity::error, line.substr(at + in_assembly.size()));
  for (const std::string_view tool :
       {"ptxas error", "ptxas fatal", "nvlink error", "nvcc error", "nvcc fatal"}) {
    if (line.substr(0, tool.size()) != tool) continue;
    const auto colon = line.find(':');
    if (colon != npos) return make("", Severity::error, line.substr(colon + 1));
  }
  return std::nullopt;
}

std::optional<Diagnostic> parse_line(std::string_view line) {
  // The first marker in the line: a message may itself quote "error: ".
  std::size_t best = npos;
  const Marker* found = nullptr;
  for (const auto& marker : markers) {
    const auto at = line.find(marker.text);
    if (at < best) {
      best = at;
      found = &marker;
    }
  }
  if (found) {
    auto message = line.substr(best + found->text.size());
    // "required from" says which instantiation in the kernel led into a header, so it is kept as a note.
    const bool context = found->text.find("required") != npos;
    // The linker's summary says nothing that its own lines did not.
    if (message.substr(0, 11) == "ld returned") return std::nullopt;
    auto one = make(line.substr(0, best), found->severity, message);
    if (context) one->message = "required from " + one->message;
    return one;
  }
  for (const auto& [word, severity] : {std::pair{std::string_view("): error #"), Severity::error},
                                       {std::string_view("): warning #"), Severity::warning}})
    if (const auto at = numbered_marker(line, word))
      return make(line.substr(0, at->first + 1), severity, line.substr(at->second));
  if (auto one = from_linker(line)) return one;
  if (auto one = from_ptxas(line)) return one;
  for (const std::string_view word : {"error: ", "fatal error: "})
    if (line.substr(0, word.size()) == word) return make("", Severity::error, line.substr(word.size()));
  return std::nullopt;
}

/// g++ and clang quote "   14 |   y = x;" below a message, clang before version 16 only the line.
std::string quoted_in(std::string_view line, int number_wanted) {
  const auto bar = line.find(" | ");
  if (bar == npos || number(trim(line.substr(0, bar))) != number_wanted) return "";
  return std::string(trim_right(line.substr(bar + 3)));
}

}  // namespace

std::vector<Diagnostic> parse_diagnostics(std::string_view log) {
  // Colours and invalid bytes are removed first: they stand between the words that are searched for.
  const auto text = clean(log);
  const auto lines = lines_of(text);
  std::vector<Diagnostic> all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto one = parse_line(lines[i]);
    if (!one) continue;
    if (i + 1 < lines.size()) one->quoted = quoted_in(lines[i + 1], one->line);
    // A template's error repeats for each instance: once with all its lines says as much.
    const auto same = std::find_if(all.begin(), all.end(), [&](const Diagnostic& other) {
      return other.severity == one->severity && other.file == one->file && other.message == one->message;
    });
    if (same == all.end()) {
      all.push_back(std::move(*one));
    } else if (one->line != same->line &&
               std::find(same->also_at.begin(), same->also_at.end(), one->line) == same->also_at.end()) {
      same->also_at.push_back(one->line);
    }
  }
  return all;
}

}  // namespace ridgeline::prompts
