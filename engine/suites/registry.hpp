// Every kind of suite there is, and which of them a command or a campaign means.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/suites/suite.hpp"

namespace ridgeline::suites {

/// All kinds, the default first: the tasks in Ridgeline's own format.
const std::vector<const SuiteKind*>& kinds();

/// The default kind's suite that ships with Ridgeline. It is read once it is asked for something.
std::unique_ptr<Suite> default_suite();

/// What `--suite` names: "NAME:PATH", a folder of task files, or "" for the default suite. Throws BadInput
/// also for an option that this kind does not have.
std::unique_ptr<Suite> open(const std::string& text, const OptionValues& options = {});

/// What the map `suite` of a campaign names: the kind whose name is a key in it, else the default.
std::unique_ptr<Suite> read(const yaml::MapReader& map);

/// The kind of the suite that a campaign's text (its file as JSON) names; null if no kind is known there.
const SuiteKind* kind_in(const std::string& campaign_text);

/// "kernelbench:PATH and other:PATH": how `--suite` names the kinds that `wanted` holds of; never the
/// default.
std::string schemes(const std::function<bool(const Profile&)>& wanted);

/// The profile of the first kind that `wanted` holds of; null if there is none.
const Profile* first_profile(const std::function<bool(const Profile&)>& wanted);

/// Makes a kind known as long as it lives: for tests. One thread, before any suite is opened.
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
