#include "prompts/renderer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.hpp"
#include "engine/core/nearest.hpp"
#include "engine/core/signature.hpp"
#include "prompts/feedback_text.hpp"
#include "prompts/module_answers.hpp"
#include "prompts/task_text.hpp"
#include "prompts/text.hpp"
#include "prompts/variables.hpp"

namespace ridgeline::prompts {
namespace {

class Renderer {
 public:
  Renderer(const Templates& templates, const Ask& ask, const Brief& brief, const Machine& machine,
           const KnowledgeIndex* knowledge)
      : templates_(templates), ask_(ask), brief_(brief), machine_(machine), knowledge_(knowledge) {}

  RenderedPrompt render() const {
    const auto& role = templates_.at(role_name());
    if (!role.is_prompt())
      throw BadInput(
          fmt::format("{}:1: a role needs a \"# user\" part, and this is a part of others", role.file()));
    // The same values serve both parts, so that a variable means one text in one prompt.
    const auto value = values_for(role, 0);
    auto user = role.user(value);
    return {role.system(value), std::move(user.text), user.stable_bytes};
  }

 private:
  /// Returns the template of the role. Modules have templates of their own, whatever the strategy:
  /// "iterative/refine" is "module/refine" for them, if there is one.
  std::string role_name() const {
    if (form_ != Form::module) return ask_.role;
    const auto own = (of_functions() ? "function/" : "module/") + ask_.role.substr(ask_.role.find('/') + 1);
    return templates_.has(own) ? own : ask_.role;
  }

  /// Whether answers define a function in place of a class.
  bool of_functions() const { return form_ == Form::module && answers_with_function(brief_.task); }

  std::string of_language(const std::string& part) const {
    return templates_.part_for(part, brief_.language, form_, machine_.backend);
  }

  std::string task_part() const {
    if (of_functions()) return "task_function";
    if (form_ == Form::module) return "task_model_new";
    return brief_.task.module ? "task_module" : "task";
  }

  Template::Value examples(const Template& from, const Template::Use& use, int depth) const {
    // The examples of modules show classes, which a function is not.
    if (ask_.examples == Examples::none || of_functions()) return "";
    auto all = part(of_language("example"), from, use, depth);
    if (ask_.examples == Examples::few) {
      const auto more = part(of_language("examples_more"), from, use, depth);
      all.text += "\n\n" + more.text;
      all.changes = all.changes || more.changes;
    }
    return all;
  }

  Template::Values values_for(const Template& from, int depth) const {
    return [this, &from, depth](const Template::Use& use) { return value(use, from, depth); };
  }

  Template::Value part(const std::string& name, const Template& from, const Template::Use& use,
                       int depth) const {
    // An override may make a part use itself. Built-in parts nest two deep.
    if (depth >= 4) throw BadInput(fmt::format("{}: {{{{{}}}}} contains itself", from.at(use), use.name));
    const auto& common = templates_.at("common/" + name);
    auto text = common.user(values_for(common, depth + 1));
    return {std::move(text.text), text.changes};
  }

  Template::Value value(const Template::Use& use, const Template& from, int depth) const {
    const auto& task = brief_.task;
    const auto& name = use.name;
    const auto info = traits(brief_.language).fence;
    if (name == "task") return part(task_part(), from, use, depth);
    if (name == "module_rules" && of_functions()) return part("function_rules", from, use, depth);
    if (name == "answer_whole" || name == "answer_diff" || name == "module_rules")
      return part(name, from, use, depth);
    if (name == "examples") return examples(from, use, depth);
    if (name == "hardware" && !ask_.hardware) return "";
    if (name == "hardware") return part(name, from, use, depth);
    if (name == "rules") return part(of_language(name), from, use, depth);
    if (name == "name") return task.name;
    if (name == "description") return std::string(trim(task.description));
    if (name == "formula")
      return is_blank(task.formula) ? "" : fmt::format("Formula: {}", trim(task.formula));
    if (name == "reference") {
      const auto posed = posing_text(task, form_);
      return fenced(std::string(reference_text(task, form_)), "python") +
             (posed.empty() ? "" : "\n\n" + posed);
    }
    if (name == "model") return fenced(task.module ? task.reference : kernelbench_file_text(task), "python");
    if (name == "calls") return fenced(calls_text(task), "python");
    if (name == "call") return fmt::format("`{}`", of_functions() ? task.module->function : "forward");
    if (name == "stub") return fenced(kernel_stub(task, brief_.language), info);
    if (name == "inputs") return inputs_text(task);
    if (name == "cases") return cases_text(task);
    if (name == "contract") return contract_text(task);
    if (name == "entry_point") return entry_point(task, form_);
    if (name == "workspace") return fenced(workspace_text(task, brief_.language), info);
    if (name == "language") return std::string(traits(brief_.language).title);
    if (name == "fence") return std::string(info);
    if (name == "device") return machine_.device;
    if (name == "toolchain") return machine_.toolchain;
    // Feedback and a strategy's own variables differ from request to request: no provider may cache past
    // them.
    if (is_feedback_kind(name)) return {feedback_text(name, ask_.feedback, task, knowledge_), true};
    const auto given = ask_.variables.find(name);
    if (given != ask_.variables.end()) return {given->second, true};
    auto known = standard_variables();
    for (const auto& [key, unused] : ask_.variables) known.push_back(key);
    throw BadInput(fmt::format("{}: {{{{{}}}}} has no value for role \"{}\"{}", from.at(use), name, ask_.role,
                               suggestion(name, known)));
  }

  const Templates& templates_;
  const Ask& ask_;
  const Brief& brief_;
  // A language that cannot answer the task at all is refused when the campaign is read, long before.
  const Form form_ = answer_form(brief_.task, brief_.language).value_or(Form::module);
  const Machine& machine_;
  const KnowledgeIndex* knowledge_;
};

}  // namespace

RenderedPrompt render(const Templates& templates, const Ask& ask, const Brief& brief, const Machine& machine,
                      const KnowledgeIndex* knowledge) {
  return Renderer(templates, ask, brief, machine, knowledge).render();
}

}  // namespace ridgeline::prompts
