// The set of templates that prompts are rendered from: built in, and overridden file by file from a folder.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/hash.hpp"
#include "prompts/template.hpp"

namespace ridgeline::prompts {

class Templates {
 public:
  /// Those of prompts/, compiled in.
  static Templates built_in();

  /// Those of prompts/ with every file of `folder` in place of its namesake ("iterative/refine.md"). Throws
  /// BadInput for a folder that is not there, a file that overrides nothing (with the nearest name), and
  /// whatever a template can get wrong that shows before an ask is there.
  static Templates with_overrides(const std::filesystem::path& folder);

  /// By name, without ".md": "iterative/refine", "common/task". Throws BadInput with the nearest name.
  const Template& at(const std::string& name) const;
  bool has(const std::string& name) const { return templates_.contains(name); }
  /// The common part `part` ("rules") for that language: "rules_triton_kernel_cpu" where there is one for
  /// form and backend, else the one for the form, for the backend, or "rules_triton", which need not be
  /// there.
  std::string part_for(const std::string& part, Language language, Form form,
                       const std::string& backend) const;
  std::vector<std::string> names() const;

  /// Of names and texts: equal for equal sets, wherever they came from.
  const Hash& hash() const { return hash_; }

 private:
  void put(const std::string& name, std::string file, std::string text);
  void check_variables(const std::string& name, const std::vector<std::string>& allowed) const;
  void rehash();

  std::map<std::string, Template> templates_;
  std::map<std::string, std::string> texts_;
  Hash hash_;
};

namespace detail {
struct BuiltInTemplate {
  const char* name;
  const char* text;
};
/// Generated from prompts/*/*.md; ends with a null name.
extern const BuiltInTemplate built_in_templates[];
}  // namespace detail

}  // namespace ridgeline::prompts
