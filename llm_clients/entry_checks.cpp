#include "llm_clients/entry_checks.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/core/error.hpp"
#include "llm_clients/json_access.hpp"

namespace ridgeline::llm {
namespace {

using Names = std::vector<std::string_view>;

bool is_in(std::string_view text, const Names& names) {
  return std::ranges::find(names, text) != names.end();
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

bool name_character(unsigned char c) {
  return std::isalnum(c) || c == '_';
}

/// Returns the Shannon entropy of `text` in bits per character.
double entropy(std::string_view text) {
  std::array<int, 256> counts{};
  for (const unsigned char c : text) ++counts[c];
  double bits = 0;
  for (const int count : counts)
    if (count > 0) {
      const double share = double(count) / double(text.size());
      bits -= share * std::log2(share);
    }
  return bits;
}

/// Whether `name` looks like a random key and not like a variable's name: long, with digits, without an
/// underscore, and of high entropy. "MY_PROVIDER_KEY_2" is none, since names have words.
bool looks_random(std::string_view name) {
  constexpr std::size_t kShortestKey = 20;
  constexpr double kBits = 3.3;
  if (name.size() < kShortestKey || name.find('_') != std::string_view::npos) return false;
  const auto digits = std::ranges::count_if(name, [](unsigned char c) { return std::isdigit(c); });
  return digits >= 2 && entropy(name) > kBits;
}

}  // namespace

std::string extra_problem(Provider provider, const nlohmann::json& extra) {
  static const Names engine = {
      "messages", "model", "contents", "prompt", "system", "systemInstruction", "system_instruction"};
  static const Names output = {"max_tokens", "max_completion_tokens", "maxOutputTokens"};
  // More than one answer is paid for, and only the first is read.
  static const Names many = {"n", "best_of", "candidateCount"};
  if (!extra.is_object()) return "must be a map, merged into the body of each request";
  const auto problem_of = [](const std::string& key) -> std::string {
    if (is_in(key, engine)) return "may not replace '" + key + "': the engine writes it";
    if (key == "stream") return "may not replace 'stream': set stream: of the model entry";
    if (is_in(key, output))
      return "may not replace '" + key + "': set max_output_tokens, from which budgets are computed" +
             (key == "maxOutputTokens" ? "" : ", and max_tokens_field where the server wants its other name");
    if (is_in(key, many)) return "may not ask for several answers with '" + key + "': one is read and paid";
    return "";
  };
  for (const auto& [key, value] : extra.items())
    if (auto problem = problem_of(key); !problem.empty()) return problem;
  // Gemini nests these keys in generationConfig, so a merge there could replace them too.
  if (provider != Provider::gemini) return "";
  const auto& config = member(extra, "generationConfig");
  if (extra.contains("generationConfig") && !config.is_object())
    return "may not replace 'generationConfig': name the keys in it that are to be merged";
  for (const auto& [key, value] : config.items())
    if (auto problem = problem_of(key); !problem.empty()) return problem;
  return "";
}

std::string variable_problem(std::string_view name) {
  // Prefixes of OpenAI, Google, Groq, xAI, Hugging Face, GitHub, NVIDIA, AWS and Google OAuth keys.
  static const Names beginnings = {"sk_", "sk-",  "AIza",  "gsk_", "xai_",
                                   "hf_", "ghp_", "nvapi", "AKIA", "ya29"};
  static const std::string fix =
      "; write the name of the variable that holds it (export NAME=…), or put it "
      "into a file and name that in api_key_file";
  const bool begins_like_one = name.size() > 16 && std::ranges::any_of(beginnings, [&](auto start) {
                                 return name.starts_with(start);
                               });
  if (begins_like_one || looks_random(name))
    return "looks like a key itself, which belongs in no file that is kept" + fix;
  if (name.empty()) return "";
  if (std::isdigit(static_cast<unsigned char>(name.front())) || !std::ranges::all_of(name, name_character))
    return "has characters that no variable's name has: is it the key itself?" + fix;
  return "";
}

std::string header_problem(std::string_view name, std::string_view value) {
  // The transport depends on these: a second Content-Length or Connection would desynchronize the
  // connection.
  static const Names ours = {"host",
                             "content-length",
                             "transfer-encoding",
                             "connection",
                             "content-type",
                             "accept-encoding",
                             "user-agent",
                             "accept",
                             "keep-alive",
                             "upgrade",
                             "te",
                             "trailer",
                             "expect",
                             "proxy-authorization"};
  static const Names secret = {"authorization", "api-key", "apikey", "token", "secret", "cookie", "password"};
  // RFC 9110, section 5.6.2: the characters of a token.
  const auto token = [](unsigned char c) {
    return std::isalnum(c) || std::string_view("!#$%&'*+-.^_`|~").find(char(c)) != std::string_view::npos;
  };
  if (name.empty() || !std::ranges::all_of(name, token)) return "is no name of a header";
  if (is_in(lower_case(name), ours)) return "is a header that the client writes itself";
  if (std::ranges::any_of(value, [](unsigned char c) { return (c < 0x20 && c != '\t') || c >= 0x7f; }))
    return "has a value with a line end or a character that no header has";
  const auto lower = lower_case(name);
  const bool carries_a_secret = std::ranges::any_of(
      secret, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
  if (carries_a_secret && value.find("${") == std::string_view::npos)
    return "carries a secret, which belongs in no file that is kept; write \"${NAME}\" and export NAME=…";
  return "";
}

std::string query_problem(std::string_view base_url) {
  // The query stays in addresses, which are stored, shown and logged.
  static const Names secrets = {"key", "api_key", "api-key", "apikey", "access_token", "token", "sig"};
  const auto at = base_url.find('?');
  if (at == std::string_view::npos) return "";
  auto query = base_url.substr(at + 1);
  while (!query.empty()) {
    const auto parameter = query.substr(0, query.find('&'));
    const auto name = parameter.substr(0, parameter.find('='));
    if (is_in(lower_case(name), secrets) && parameter.size() > name.size() + 1)
      return "carries a key in its query ('" + std::string(name) +
             "'); addresses are kept and shown: send it as a header (headers:) or name it in api_key_env";
    query.remove_prefix(std::min(query.size(), parameter.size() + 1));
  }
  return "";
}

std::string with_variables(std::string_view value, const std::string& where,
                           const std::function<const char*(const char*)>& look_up) {
  std::string text;
  for (auto at = value.find("${"); at != std::string_view::npos; at = value.find("${")) {
    text += value.substr(0, at);
    const auto end = value.find('}', at);
    if (end == std::string_view::npos) throw BadInput(where + ": \"${\" without its \"}\"; write ${NAME}");
    const std::string name(value.substr(at + 2, end - at - 2));
    // A key that is written as "${sk-…}" must not appear in the message, so the name is checked first.
    if (const auto problem = variable_problem(name); !problem.empty())
      throw BadInput(where + ": what stands in ${…} " + problem);
    const char* set = look_up(name.c_str());
    if (!set || !*set)
      throw BadInput(where + ": the variable " + name + " is not set; export " + name + "=…");
    text += set;
    value.remove_prefix(end + 1);
  }
  text += value;
  return text;
}

}  // namespace ridgeline::llm
