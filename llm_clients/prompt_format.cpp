#include "llm_clients/prompt_format.hpp"

namespace ridgeline::llm {
namespace {

/// For base models, which have no roles: the text itself is the prompt.
std::string plain(const std::vector<Message>& messages) {
  std::string prompt;
  for (const auto& message : messages) {
    if (!prompt.empty()) prompt += "\n\n";
    prompt += message.content;
  }
  return prompt;
}

std::string chatml(const std::vector<Message>& messages) {
  std::string prompt;
  for (const auto& message : messages)
    prompt += "<|im_start|>" + message.role + '\n' + message.content + "<|im_end|>\n";
  // Qwen's format. The open assistant turn makes the model answer, not continue the user's text.
  return prompt + "<|im_start|>assistant\n";
}

/// Llama 3's format.
std::string llama3(const std::vector<Message>& messages) {
  const auto header = [](const std::string& role) {
    return "<|start_header_id|>" + role + "<|end_header_id|>\n\n";
  };
  std::string prompt;
  for (const auto& message : messages) prompt += header(message.role) + message.content + "<|eot_id|>";
  return prompt + header("assistant");
}

/// The first Mistral Instruct format; an answer ends with </s>, and a user's turn needs no marker after it.
std::string mistral(const std::vector<Message>& messages) {
  std::string prompt;
  std::string system;
  for (const auto& message : messages) {
    if (message.role == "system") {
      system += message.content + "\n\n";
    } else if (message.role == "assistant") {
      prompt += ' ' + message.content + "</s>";
    } else {
      prompt += "[INST] " + system + message.content + " [/INST]";
      system.clear();
    }
  }
  return prompt;
}

}  // namespace

std::string completion_prompt(PromptFormat format, const std::vector<Message>& messages) {
  switch (format) {
    case PromptFormat::plain:
      return plain(messages);
    case PromptFormat::chatml:
      return chatml(messages);
    case PromptFormat::llama3:
      return llama3(messages);
    case PromptFormat::mistral:
      return mistral(messages);
  }
  return plain(messages);
}

std::vector<std::string> completion_stops(PromptFormat format) {
  switch (format) {
    case PromptFormat::plain:
      return {};
    case PromptFormat::chatml:
      return {"<|im_end|>"};
    case PromptFormat::llama3:
      return {"<|eot_id|>"};
    case PromptFormat::mistral:
      return {"</s>"};
  }
  return {};
}

}  // namespace ridgeline::llm
