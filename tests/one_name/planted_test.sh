#!/usr/bin/env bash
# That whole_program.sh finds what it is for: names defined twice by two small libraries, planted here.
#
#   planted_test.sh COMPILER
set -euo pipefail
compiler=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf -- '-std=c++20\n-I%s\n' "$work" > flags
failed=0

check() {  # FILE...: what the check says of them, in ./said
  printf '%s\n' "$@" > list
  "$here/whole_program.sh" "$compiler" flags list > said 2>&1
}
passes() {  # WHAT FILE...
  local what=$1; shift
  if check "$@"; then echo "ok: $what"; else echo "FAILED: $what"; cat said; failed=1; fi
}
is_found() {  # WHAT NAME FILE...: the check fails and says the name
  local what=$1 name=$2; shift 2
  if check "$@"; then echo "FAILED: not found: $what"; failed=1
  elif ! grep -qE "error: .*$name" said; then echo "FAILED: $what: '$name' is not named"; cat said; failed=1
  else echo "ok: found: $what"
  fi
}

# ---- the bug that taught it: a class of one name in the headers of two libraries
cat > left.hpp <<'END'
#pragma once
#include <string>
namespace planted {
struct Answer { std::string text; bool ended = false; };
std::string left();
}
END
cat > left.cpp <<'END'
#include "left.hpp"
namespace planted {
std::string left() { return Answer{"left"}.text; }
}
END
cat > right.hpp <<'END'
#pragma once
#include <memory>
#include <vector>
namespace planted {
struct Answer { std::size_t length = 0; std::vector<int> parts; std::shared_ptr<int> owner; };
std::size_t right();
}
END
cat > right.cpp <<'END'
#include "right.hpp"
namespace planted {
std::size_t right() { return Answer{3, {1, 2}, nullptr}.length; }
}
END
cat > main.cpp <<'END'
#include <string>
namespace planted { std::string left(); std::size_t right(); }
int main() { return planted::left().size() > 99 && planted::right() > 99; }
END
for side in left right; do
  "$compiler" -std=c++20 -Wall -Wextra -Werror -c "$side.cpp" -o "$side.o"
  ar rc "lib$side.a" "$side.o"
done
if "$compiler" -std=c++20 -Wall -Wextra -Werror main.cpp libleft.a libright.a -o program 2> linked && [ ! -s linked ]; then
  echo "ok: compiler and linker alone say nothing of it"
else
  echo "FAILED: the planted libraries do not link, so that they are no example"; cat linked; failed=1
fi
is_found "a class in two headers" Answer left.hpp right.hpp left.cpp right.cpp main.cpp
passes "one of the two libraries" left.hpp left.cpp main.cpp

# ---- no header has it
echo 'namespace planted { struct Walk { int steps = 0; ~Walk() {} }; int walk_left() { return Walk{}.steps; } }' > walk_left.cpp
echo 'namespace planted { struct Walk { char name[64]; ~Walk() {} }; int walk_right() { return Walk{}.name[0]; } }' > walk_right.cpp
is_found "a class in two sources" Walk walk_left.cpp walk_right.cpp

# ---- the same layout and another meaning: debug information and -Wodr see no difference
echo 'namespace planted { struct Place { int at = 0; int next() const { return at + 1; } }; }' > place_left.hpp
echo 'namespace planted { struct Place { int at = 0; int next() const { return at - 1; } }; }' > place_right.hpp
is_found "two classes of one layout" Place place_left.hpp place_right.hpp
echo 'namespace planted { inline int limit() { return 1; } int ask_left() { return limit(); } }' > limit_left.cpp
echo 'namespace planted { inline int limit() { return 2; } int ask_right() { return limit(); } }' > limit_right.cpp
is_found "an inline function in two sources" limit limit_left.cpp limit_right.cpp
echo 'namespace planted { int same_call(int) { return 1; } }' > call_left.cpp
echo 'namespace planted { int same_call(int) { return 2; } }' > call_right.cpp
is_found "a function in two sources, which no program may link both of" same_call call_left.cpp call_right.cpp
echo 'namespace planted { enum class Outcome { good, bad }; }' > outcome_left.hpp
echo 'namespace planted { enum class Outcome { bad, good }; }' > outcome_right.cpp
is_found "an enum in a header and in a source" Outcome outcome_left.hpp outcome_right.cpp
echo 'namespace planted { template <class T> struct Wire { static constexpr int size = 1; }; int of_int() { return Wire<int>::size; } }' > wire_left.cpp
echo 'namespace planted { template <> struct Wire<int> { static constexpr int size = 2; }; }' > wire_right.cpp
is_found "a template that one source specializes after another has used it" Wire wire_left.cpp wire_right.cpp

# ---- what is no violation
mkdir one two
echo 'namespace one { struct Answer { int a; }; namespace { int helper() { return 1; } } int use() { return helper(); } }' > one/room.cpp
echo 'namespace two { struct Answer { char b; }; namespace { int helper() { return 2; } } int use() { return helper(); } }' > two/room.cpp
echo 'int main() {}' | tee one/main.cpp > two/main.cpp
passes "one name in two namespaces, two programs" one/room.cpp two/room.cpp one/main.cpp two/main.cpp

exit $failed
