// A template of a prompt: prose with `{{name}}` and no other syntax.
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
  /// One occurrence of a variable in the file.
  struct Use {
    std::string name;
    int line = 0;  ///< from 1
  };
  /// The text that a variable stands for.
  struct Value {
    std::string text;
    bool changes = false;  ///< the text may differ from one request of a trajectory to the next
    // Conversions are implicit so that a plain text can be given as a value that does not change.
    // NOLINTBEGIN(google-explicit-constructor)
    Value(const char* own) : text(own) {}
    Value(std::string own, bool changing = false) : text(std::move(own)), changes(changing) {}
    // NOLINTEND(google-explicit-constructor)
  };
  /// Gives the value of a variable where it is used; may throw to refuse it.
  using Values = std::function<Value(const Use&)>;

  /// A rendered part of the prompt. No variable that changes can alter its first `stable_bytes`.
  struct Text {
    std::string text;
    std::size_t stable_bytes = 0;
    bool changes = false;  ///< whether a variable that changes is used, even if it is empty now
  };

  /// Throws BadInput that names `file` and the line.
  static Template parse(std::string file, std::string_view text);

  const std::string& file() const { return file_; }
  /// Whether the file has a `# user` part.
  bool is_prompt() const { return is_prompt_; }
  const std::vector<Use>& uses() const { return uses_; }

  std::string system(const Values& values) const { return render(system_, values).text; }
  /// Renders the user's part, or the whole of a template without markers.
  Text user(const Values& values) const { return render(user_, values); }

  /// Returns "file:line", for errors about a use.
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
