// Lays text out for a terminal: lines and tables that fit its columns, colours where it has them. Pure;
// engine/posix/terminal.hpp finds out what a stream is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// Describes the terminal, file or pipe that text is written to.
struct Terminal {
  std::size_t columns = 0;  ///< 0: no terminal; lines have any length, so that programs can read them
  bool colours = false;

  std::string bold(std::string_view text) const { return painted(text, "1"); }
  std::string quiet(std::string_view text) const { return painted(text, "2"); }
  std::string good(std::string_view text) const { return painted(text, "32"); }
  std::string bad(std::string_view text) const { return painted(text, "31"); }
  std::string busy(std::string_view text) const { return painted(text, "36"); }

 private:
  std::string painted(std::string_view text, const char* code) const {
    return colours ? "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m" : std::string(text);
  }
};

/// Counts the code points of UTF-8, as its bytes that continue none, without codes of colours. Our own texts
/// hold no wide or combining characters.
std::size_t text_width(std::string_view text);

/// Cuts text without colours to `columns` code points, the last of them "…"; 0 columns cut nothing.
std::string cut_to_columns(std::string_view text, std::size_t columns);

/// Breaks text at blanks into lines of at most `columns` code points, those after the first behind `indent`.
/// A longer word keeps its line to itself and is not broken, so that a path can be copied. 0 columns break
/// nothing. Ends without a line end.
std::string wrapped(std::string_view text, std::size_t columns, std::string_view indent = "");

enum class Alignment {
  left,            ///< all columns
  first_left_only  ///< the others right, as figures want it
};

/// Lays out rows of cells, of which the first row is the head, with `indent` before each line. Rows may be
/// shorter than the head. A table that is wider than the terminal is continued below itself: each part has
/// the first column again, whose cells are broken into lines where they take more than half the terminal.
/// Each line ends with a line end.
std::string text_table(const std::vector<std::vector<std::string>>& rows, Alignment alignment,
                       const Terminal& terminal = {}, std::string_view indent = "");

}  // namespace ridgeline
