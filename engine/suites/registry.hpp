// Lists the kinds of suites, and finds the one that a command or a campaign means.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/suites/suite.hpp"

namespace ridgeline::suites {

/// Returns all kinds. The first is the default: tasks in Ridgeline's own format.
const std::vector<const SuiteKind*>& kinds();

/// Opens the suite that ships with Ridgeline. It is read at its first use.
std::unique_ptr<Suite> default_suite();

/// Opens the suite that `--suite` names: "NAME:PATH" with the name of a kind other than the default, "" for
/// the default suite, or else a folder of task files. Throws BadInput, also for an option that this kind does
/// not have.
std::unique_ptr<Suite> open(const std::string& text, const OptionValues& options = {});

/// Opens the suite that a campaign's map `suite` names: the kind whose name is a key in it, else the default.
/// Throws BadInput with the place in the file.
std::unique_ptr<Suite> read(const yaml::MapReader& map);

/// Returns the kind of the suite that a stored campaign (its file as JSON) names, without opening it. Returns
/// the default if it names none or one that this program does not know; null if the text is no campaign.
const SuiteKind* kind_in(const std::string& campaign_text);

/// Returns "kernelbench:PATH and other:PATH": how `--suite` names the kinds for which `wanted` is true. The
/// default has no such name and is left out.
std::string schemes(const std::function<bool(const Profile&)>& wanted);

/// Returns the profile of the first kind for which `wanted` is true; null if there is none.
const Profile* first_profile(const std::function<bool(const Profile&)>& wanted);

/// Adds a kind for as long as the registration lives, for tests. Not thread-safe: register before any suite
/// is opened. `kind` must outlive the registration.
class Registration {
 public:
  explicit Registration(const SuiteKind& kind);
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  ~Registration();

 private:
  const SuiteKind& kind_;
};

}  // namespace ridgeline::suites
