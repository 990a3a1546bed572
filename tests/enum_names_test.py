"""enum_names.py finds what it is there to find.    enum_names_test.py ROOT"""

import unittest

from enum_names import differences, tables_in

SOURCE = '''
namespace ridgeline::paint {
enum class Color { red, dark_blue };
constexpr auto enum_names(Color) {
  return std::to_array<Name<Color>>({{Color::red, "red"},
                                     {Color::dark_blue, "dark-blue"}});
}
}
'''


class EnumNames(unittest.TestCase):
    def test_a_table_is_read_with_its_room_and_order(self):
        self.assertEqual(tables_in(SOURCE), {"paint::Color": ["red", "dark-blue"]})

    def test_an_enum_of_core_has_no_room(self):
        self.assertEqual(list(tables_in(SOURCE.replace("::paint", ""))), ["Color"])

    def test_a_renamed_an_added_and_a_lost_enum_are_told(self):
        found = {"A": ["x", "y"], "B": ["z"]}
        self.assertEqual(differences(found, {"A": ["x", "y"], "B": ["z"]}), [])
        self.assertIn("A is pinned as x and is now x y", differences(found, {"A": ["x"], "B": ["z"]}))
        self.assertIn("B is not pinned; add it: z", differences(found, {"A": ["x", "y"]}))
        self.assertIn("C is pinned and has no table", differences(found, {"A": ["x", "y"], "B": ["z"], "C": []}))

    def test_two_names_that_change_places_are_found(self):
        text = 'constexpr auto enum_names(Role) {\n  return std::to_array<Name<Role>>({{Role::in, "out"}, {Role::out, "in"}});\n}\n'
        with self.assertRaisesRegex(SystemExit, "in is stored as 'out', which is another one's word"):
            tables_in(text)


if __name__ == "__main__":
    unittest.main(argv=["enum_names_test"])
