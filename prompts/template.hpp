// One template: prose with `{{name}}` and nothing else.
//
// A line that is `# system` or `# user` starts that part of the prompt; before the first there may be blank
// lines only. A file without them is a part for other templates (prompts/common/). `{{` must begin a
// variable. A line that holds one variable alone vanishes where the variable is empty, with the blank line
// after it. Values are never read as template text.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline::prompts {

class Template {
 public:
  struct Use {  ///< of a variable
    std::string name;
    int line = 0;  ///< from 1
  };
  /// What a variable stands for.
  struct Value {
    std::string text;
    bool changes = false;  ///< from one request of a trajectory to the next
    // A plain text is a value that does not change.
    // NOLINTBEGIN(google-explicit-constructor)
    Value(const char* own) : text(own) {}
    Value(std::string own, bool changing = false) : text(std::move(own)), changes(changing) {}
    // NOLINTEND(google-explicit-constructor)
  };
  /// The value of a variable, for a use of it.
  using Values = std::function<Value(const Use&)>;

  /// A part of the prompt, and how much of its beginning no variable that changes can alter.
  struct Text {
    std::string text;
    std::size_t stable_bytes = 0;
    bool changes = false;  ///< a variable that changes is used, be it empty now
  };

  /// Throws BadInput with `file` and the line.
  static Template parse(std::string file, std::string_view text);

  const std::string& file() const { return file_; }
  /// True for a file with `# user`.
  bool is_prompt() const { return is_prompt_; }
  const std::vector<Use>& uses() const { return uses_; }

  std::string system(const Values& values) const { return render(system_, values).text; }
  /// The user's part; the whole of a template without markers.
  Text user(const Values& values) const { return render(user_, values); }

  /// "file:line: …", for errors about a use.
  std::string at(const Use& use) const;

 private:
  struct Piece {
    std::string text;      // literal, or
    std::string variable;  // the name, if not empty
  };
  struct Line {
    int number = 0;
    std::vector<Piece> pieces;
    bool variable_alone() const { return pieces.size() == 1 && !pieces[0].variable.empty(); }
  };
  using Lines = std::vector<Line>;

  static Text render(const Lines& lines, const Values& values);
  Line parse_line(std::string_view text, int number);

  std::string file_;
  Lines system_, user_;
  std::vector<Use> uses_;
  bool is_prompt_ = false;
};

}  // namespace ridgeline::prompts
