#include "prompts/templates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "engine/core/error.hpp"
#include "engine/core/nearest.hpp"
#include "prompts/variables.hpp"

namespace ridgeline::prompts {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file)
    throw BadInput(fmt::format("{}: cannot be read; check that it is a readable file", path.string()));
  return text;
}

}  // namespace

void Templates::put(const std::string& name, std::string file, std::string text) {
  templates_.insert_or_assign(name, Template::parse(std::move(file), text));
  texts_[name] = std::move(text);
}

/// Refuses a variable that no request can have, before anything is spent.
void Templates::check_variables(const std::string& name, const std::vector<std::string>& allowed) const {
  const auto& checked = at(name);
  for (const auto& use : checked.uses())
    if (std::find(allowed.begin(), allowed.end(), use.name) == allowed.end())
      throw BadInput(fmt::format("{}: unknown variable {{{{{}}}}}{}", checked.at(use), use.name,
                                 suggestion(use.name, allowed)));
}

void Templates::rehash() {
  // In the order of names, so that the hash does not depend on how a folder is listed.
  std::string all;
  for (const auto& [name, text] : texts_) all += sha256_of({name, text});
  hash_ = sha256(all);
}

Templates Templates::built_in() {
  Templates set;
  for (const auto* built_in = detail::built_in_templates; built_in->name; ++built_in)
    set.put(built_in->name, fmt::format("prompts/{}.md", built_in->name), built_in->text);
  set.rehash();
  return set;
}

Templates Templates::overridden_by(const std::filesystem::path& folder) const {
  auto set = *this;
  if (!std::filesystem::is_directory(folder))
    throw BadInput(fmt::format("{}: there is no such folder of prompts", folder.string()));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) continue;
    auto name = entry.path().lexically_relative(folder).generic_string();
    const bool is_template = entry.path().extension() == ".md";
    if (is_template) name.resize(name.size() - 3);
    const auto found = is_template ? set.templates_.find(name) : set.templates_.end();
    if (found == set.templates_.end())
      throw BadInput(
          fmt::format("{}: overrides no template{}", entry.path().string(), suggestion(name, set.names())));
    const bool was_prompt = found->second.is_prompt();
    // A role's own variables are those that its built-in template uses: a strategy gives no others.
    auto allowed = standard_variables();
    for (const auto& use : found->second.uses()) allowed.push_back(use.name);
    set.put(name, entry.path().string(), read(entry.path()));
    // A role without a user's part, or a part with markers, would fail at the first request, after money was
    // spent.
    if (set.at(name).is_prompt() != was_prompt)
      throw BadInput(fmt::format("{}:1: {}", entry.path().string(),
                                 was_prompt ? "a line \"# user\" must begin the user's part"
                                            : "a part of other templates has no \"# system\" or \"# user\""));
    set.check_variables(name, allowed);
  }
  set.rehash();
  return set;
}

std::string Templates::part_for(const std::string& part, Language language, Form form,
                                const std::string& backend) const {
  const auto name = fmt::format("{}_{}", part, to_string(language));
  const auto of_form = fmt::format("{}_{}", name, to_string(form));
  for (const auto& narrower : {of_form + "_" + backend, of_form, name + "_" + backend})
    if (has("common/" + narrower)) return narrower;
  return name;
}

const Template& Templates::at(const std::string& name) const {
  const auto found = templates_.find(name);
  if (found == templates_.end())
    throw BadInput(fmt::format("there is no prompt template \"{}\"{}", name, suggestion(name, names())));
  return found->second;
}

std::vector<std::string> Templates::names() const {
  std::vector<std::string> all;
  for (const auto& [name, unused] : templates_) all.push_back(name);
  return all;
}

}  // namespace ridgeline::prompts
