#include "llm_clients/keys.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "engine/core/error.hpp"
#include "llm_clients/protocol.hpp"

namespace ridgeline::llm {
namespace {

/// Removes white space at both ends: files end in a line end, and copied keys bring spaces.
std::string trimmed(std::string text) {
  const auto space = " \t\r\n";
  text.erase(text.find_last_not_of(space) + 1);
  text.erase(0, text.find_first_not_of(space));
  return text;
}

std::string checked(std::string key, const std::string& where) {
  if (!may_be_key(key))
    throw BadInput(where +
                   " holds a space, a line end or a character that no key has; put the key alone there");
  return key;
}

}  // namespace

bool may_be_key(const std::string& text) {
  // A line end inside a key would start another header.
  return !text.empty() && std::ranges::none_of(text, [](unsigned char c) { return c <= 0x20 || c >= 0x7f; });
}

std::string read_key(const Model& model, const Url& url, const GetEnv& getenv) {
  const std::string entry = "models." + model.name;
  // A file that is named and missing is an error. Falling back to a variable could bill another account.
  if (!model.api_key_file.empty()) {
    std::ifstream file(model.api_key_file, std::ios::binary);
    std::string key{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad())
      throw BadInput(entry + ".api_key_file: cannot read " + model.api_key_file +
                     "; put the key into that file, or name another");
    key = trimmed(std::move(key));
    if (key.empty())
      throw BadInput(entry + ".api_key_file: " + model.api_key_file + " is empty; put the key there");
    return checked(std::move(key), model.api_key_file);
  }
  const std::string variable =
      model.api_key_env.empty() ? protocol_of(model.provider).usual_key_env : model.api_key_env;
  const char* value = getenv(variable.c_str());
  if (value && *value) return checked(trimmed(value), "the variable " + variable);
  // Local servers (vLLM, llama.cpp) need no key, and over plain http one would be readable on the way.
  if (!url.tls || url.loopback()) return {};
  throw BadInput(entry + ": the variable " + variable + " is not set, and " + url.origin() +
                 " wants a key; export " + variable +
                 "=…, or name another variable in api_key_env or a file in "
                 "api_key_file");
}

}  // namespace ridgeline::llm
