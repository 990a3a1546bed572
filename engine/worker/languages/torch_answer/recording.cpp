#include "engine/worker/languages/torch_answer/recording.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/core/json_numbers.hpp"

namespace ridgeline::torch_answer {
namespace {

using nlohmann::json;

constexpr std::size_t kMostModules = 32;

torch_extension::ExtensionRequest request_from(const json& fields) {
  torch_extension::ExtensionRequest request;
  request.form = fields.at("form") == "files" ? torch_extension::ExtensionRequest::Form::files
                                              : torch_extension::ExtensionRequest::Form::inlined;
  fields.at("name").get_to(request.name);
  fields.at("cpp_sources").get_to(request.cpp_sources);
  fields.at("cuda_sources").get_to(request.cuda_sources);
  request.has_functions = !fields.at("functions").is_null();
  if (request.has_functions)
    for (const auto& pair : fields.at("functions")) request.functions.emplace_back(pair.at(0), pair.at(1));
  fields.at("cflags").get_to(request.cflags);
  fields.at("cuda_cflags").get_to(request.cuda_cflags);
  fields.at("ldflags").get_to(request.ldflags);
  fields.at("with_cuda").get_to(request.with_cuda);
  fields.at("error_handling").get_to(request.error_handling);
  fields.at("implicit_headers").get_to(request.implicit_headers);
  return request;
}

void add(Recording& recording, const json& line) {
  AskedModule asked;
  line.at("key").get_to(asked.key);
  asked.request = request_from(line.at("request"));
  read_json(line.at("lines").at("cpp_sources"), asked.cpp_lines);
  read_json(line.at("lines").at("cuda_sources"), asked.cuda_lines);
  const bool known = std::ranges::any_of(
      recording.asked, [&](const auto& known_module) { return known_module.key == asked.key; });
  if (!known && recording.asked.size() < kMostModules) recording.asked.push_back(std::move(asked));
}

}  // namespace

Recording read_recording(const std::string& lines) {
  Recording recording;
  std::istringstream stream{lines};
  try {
    for (std::string text; std::getline(stream, text);) {
      const auto line = json::parse(text);
      if (!line.contains("end")) {
        add(recording, line);
        continue;
      }
      recording.end = line.at("end") == "done" ? Recording::End::done : Recording::End::raised;
      recording.words = line.value("words", "");
      break;
    }
  } catch (const json::exception&) {  // cut short, or the candidate's own invention
  } catch (const Error&) {            // a line's number that no text has
  }
  return recording;
}

}  // namespace ridgeline::torch_answer
