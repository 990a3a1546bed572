// Holds the templates of prompts: those compiled in, overridden file by file from a folder.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/hash.hpp"
#include "prompts/template.hpp"

namespace ridgeline::prompts {

/// Immutable after construction, so threads may share it.
class Templates {
 public:
  /// Returns the templates of prompts/, which are compiled in.
  static Templates built_in();

  /// Returns these templates with every file of `folder` in place of its namesake ("iterative/refine.md").
  /// Throws BadInput for a missing folder, for a file that overrides nothing (with the nearest name), and for
  /// every mistake in a template that shows before a request is rendered.
  Templates overridden_by(const std::filesystem::path& folder) const;
  /// Does so with the built-in templates.
  static Templates with_overrides(const std::filesystem::path& folder) {
    return built_in().overridden_by(folder);
  }

  /// Finds a template by name, without ".md": "iterative/refine", "common/task". Throws BadInput with the
  /// nearest name.
  const Template& at(const std::string& name) const;
  bool has(const std::string& name) const { return templates_.contains(name); }
  /// Returns the name of the common part `part` ("rules") for a language: "rules_triton_kernel_cpu" if there
  /// is one for form and backend, else the one for the form, for the backend, or "rules_triton", which need
  /// not exist.
  std::string part_for(const std::string& part, Language language, Form form,
                       const std::string& backend) const;
  std::vector<std::string> names() const;

  /// The hash over names and texts: equal sets have equal hashes, wherever they came from.
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
