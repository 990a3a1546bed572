#!/usr/bin/env bash
# No two definitions of one name, anywhere: all headers and sources of all libraries and programs, read by the
# compiler as ONE file.
#
#   whole_program.sh COMPILER FLAGS LIST     FLAGS: a file of the compiler's arguments; LIST: a file with a path a line
#
# A linker doesn't compare definitions. engine/core and llm_clients once had a class `ridgeline::Answer` each, in
# headers that no file included together: the linker kept one destructor for both, the shipped program crashed on the
# other's objects, and every test program, which linked one of the two, passed. In one file the second definition of a
# class, enum, function, variable or template is an error, wherever it stands: in a header, in a .cpp, and whether or
# not the two have the same layout.
#
# Names in unnamed namespaces have to differ too, within one namespace. That is stricter than C++, and it is the rule
# that rooms compiled several files at a time already have (docs/building.md).
set -euo pipefail
[ $# = 3 ] || { echo "usage: $0 COMPILER FLAGS LIST" >&2; exit 2; }
compiler=$1 flags=$2 list=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Headers first, so that each source is read among all of them. A program's main gets a name of its own.
awk '/\.hpp$/ { headers = headers "#include \"" $0 "\"\n"; next }
     /(^|\/)main\.cpp$/ { name = $0; gsub(/[^a-zA-Z0-9]/, "_", name)
       sources = sources "#define main main_of_" name "\n#include \"" $0 "\"\n#undef main\n"; next }
     { sources = sources "#include \"" $0 "\"\n" }
     END { printf "%s%s", headers, sources }' "$list" > "$work/whole_program.cpp"

if "$compiler" "@$flags" -w -fsyntax-only -fmax-errors=25 -fdiagnostics-color=never "$work/whole_program.cpp" 2> "$work/log"; then
  echo "one name: $(wc -l < "$list") files, no name is defined twice"
  exit 0
fi
doubles='redefinition|redeclar|conflicting|ambigu|previous|specialization of .* after instantiation'
if grep -qE "error: .*($doubles)" "$work/log"; then
  grep -E "(error|note): .*($doubles)" "$work/log" | head -40 >&2
  cat >&2 <<'END'

one name: these names have two definitions in the program read as one file. Fix: give one of the two another name (in
the smaller room), put a room's names into its own namespace, or share one helper. Names in unnamed namespaces have to
differ as well within one namespace.
END
else
  grep -E '(error|note): ' "$work/log" | head -40 >&2
  cat >&2 <<'END'

one name: read as one file, the program does not compile. Where each file does compile by itself, one file's name hides
another's: an overload in a room's namespace hides that of `ridgeline`, for instance. Fix: say which is meant.
END
fi
exit 1
