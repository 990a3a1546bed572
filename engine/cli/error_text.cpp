#include "engine/cli/error_text.hpp"

#include <filesystem>
#include <new>
#include <system_error>

#include "engine/core/one_line.hpp"
#include "engine/core/utf8.hpp"

namespace ridgeline::cli {
namespace {

constexpr std::size_t longest = 4000, shown_head = 2000, shown_tail = 1000;  // bytes of a line

/// Moves `at` on to the beginning of a UTF-8 character, so that no half of one is printed.
std::size_t boundary(std::string_view text, std::size_t at) {
  while (at < text.size() && utf8_length(text.substr(at)) == 0) ++at;
  return at;
}

std::string shortened(const std::string& line) {
  if (line.size() <= longest) return line;
  return line.substr(0, boundary(line, shown_head)) + " ... " +
         line.substr(boundary(line, line.size() - shown_tail));
}

}  // namespace

std::string error_text(std::string_view what) {
  std::string text = "ridgeline: ";
  // A message may have lines of its own (a list of differences): each is cleaned and cut alone.
  for (;;) {
    const auto end = what.find('\n');
    text += shortened(in_one_line(what.substr(0, end))) + '\n';
    if (end == std::string_view::npos || end + 1 == what.size()) return text;
    what.remove_prefix(end + 1);
  }
}

int exit_code_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error)) return 3;
  const auto* refused = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
  if (!refused) return 1;
  // These say that the path itself is wrong, whatever the machine: bad input. Others (a full disk) may pass.
  for (const auto unusable :
       {std::errc::filename_too_long, std::errc::not_a_directory, std::errc::is_a_directory,
        std::errc::no_such_file_or_directory, std::errc::too_many_symbolic_link_levels})
    if (refused->code() == unusable) return 2;
  return 3;
}

}  // namespace ridgeline::cli
