#include "engine/suites/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.hpp"
#include "engine/suites/kernelbench/suite.hpp"
#include "engine/suites/kernelbenchx/suite.hpp"
#include "engine/suites/native/suite.hpp"

namespace ridgeline::suites {
namespace {

/// Lists the kinds: a new suite is one line here. The static is a function's, so that no order of start-up
/// matters.
std::vector<const SuiteKind*>& known() {
  static std::vector<const SuiteKind*> all{
      &native::kind(),  // the default
      &kernelbench::kind(),
      &kernelbenchx::kind(),
  };
  return all;
}

const SuiteKind& default_kind() {
  return *known().front();
}

bool has_option(const Profile& profile, const std::string& name) {
  return std::ranges::any_of(profile.options,
                             [&](const CommandOption& option) { return option.name == name; });
}

/// Refuses an option that only another kind reads: it would be ignored in silence here.
void refuse_foreign(const OptionValues& options, const Profile& profile) {
  for (const auto& [name, value] : options) {
    if (value.empty() || has_option(profile, name)) continue;
    const auto owners = schemes([&](const Profile& other) { return has_option(other, name); });
    const auto noun = name.substr(std::min(name.size(), name.find_first_not_of('-')));
    throw BadInput(fmt::format("{}: only a suite {} has {}", name, owners, noun));
  }
}

}  // namespace

const std::vector<const SuiteKind*>& kinds() {
  return known();
}

std::unique_ptr<Suite> default_suite() {
  return default_kind().open("", {});
}

std::unique_ptr<Suite> open(const std::string& text, const OptionValues& options) {
  const SuiteKind* kind = &default_kind();
  std::string location = text;
  for (const auto* other : known()) {
    const auto scheme = other->profile().name + ":";
    // A folder of the default suite may be called anything: it has no scheme.
    if (other == &default_kind() || !text.starts_with(scheme)) continue;
    kind = other;
    location = text.substr(scheme.size());
  }
  refuse_foreign(options, kind->profile());
  return kind->open(location, options);
}

std::unique_ptr<Suite> read(const yaml::MapReader& map) {
  auto asked = map;
  for (const auto* kind : known()) {
    if (kind == &default_kind()) continue;
    // Looked up even if it is absent, so that the reader knows the key and suggests it for a misspelt one.
    if (asked.find(kind->profile().name)) return kind->read(std::move(asked));
  }
  return default_kind().read(std::move(asked));
}

const SuiteKind* kind_in(const std::string& campaign_text) {
  // Stores are read long after the folder of a suite is gone, so the kind is found without opening it.
  // Never throws: a store may hold a campaign of a version whose suites this one does not have.
  const auto campaign = nlohmann::json::parse(campaign_text, nullptr, false);
  if (!campaign.is_object()) return nullptr;
  const auto suite = campaign.find("suite");
  if (suite != campaign.end() && suite->is_object())
    for (const auto* kind : known())
      if (suite->contains(kind->profile().name)) return kind;
  return &default_kind();
}

std::string schemes(const std::function<bool(const Profile&)>& wanted) {
  std::string text;
  for (const auto* kind : known())
    if (kind != &default_kind() && wanted(kind->profile()))
      text += fmt::format("{}{}:PATH", text.empty() ? "" : " and ", kind->profile().name);
  return text;
}

const Profile* first_profile(const std::function<bool(const Profile&)>& wanted) {
  for (const auto* kind : known())
    if (wanted(kind->profile())) return &kind->profile();
  return nullptr;
}

Registration::Registration(const SuiteKind& kind) : kind_(kind) {
  known().push_back(&kind_);  // at the end: the first stays the default
}

Registration::~Registration() {
  std::erase(known(), &kind_);
}

}  // namespace ridgeline::suites
