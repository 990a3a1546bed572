// The `inline-cuda` figures: which requests build with the slim headers, and in what time.
//
//   bench-inline_cuda slim OUT REQUEST.json...
//   bench-inline_cuda torch=PACKAGE,PYTHON_INCLUDE OUT REQUEST.json...
//   bench-inline_cuda answers OUT ANSWER.py...
//   bench-inline_cuda slim-answers OUT ANSWER.py...
//   bench-inline_cuda --short      one small request with the slim headers, in a temporary folder
//
// Requests are what tests/bench/inline_cuda/record_requests.py writes. One build at a time, from an empty
// cache. Each is a JSON line on stdout: request, outcome, seconds from source to module, CPU seconds, first
// error; modules are copied to OUT/<request>.so, logs of what failed to OUT/<request>.log. Run it under
// `taskset -c 0` for the figure on one core.
//
// `answers` takes whole answers through what a worker's build stage does, recording and all, with one
// recorder that was started before the first; `slim-answers` does without torch's own headers. The
// constructor's arguments stand in ANSWER.py.init, {"arguments": [...], "named": {...}, "inputs": [[shape,
// dtype]...]}, where there is such a file; RIDGELINE_PYTHON names the interpreter.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/worker/languages/torch_answer/torch_builder.hpp"
#include "engine/worker/languages/torch_extension/extension_builder.hpp"
#include "tests/bench/needs_nvcc.hpp"
#include "tests/bench/short_form.hpp"
#include "tests/engine/worker/languages/torch_extension/request_sources.hpp"

namespace ridgeline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

torch_extension::ExtensionRequest read_request(const fs::path& path) {
  const auto text = json::parse(std::ifstream(path));
  torch_extension::ExtensionRequest request;
  request.form = text.at("kind") == "files" ? torch_extension::ExtensionRequest::Form::files
                                            : torch_extension::ExtensionRequest::Form::inlined;
  request.name = text.at("name");
  request.cpp_sources = text.at("cpp_sources");
  request.cuda_sources = text.at("cuda_sources");
  request.has_functions = !text.at("functions").is_null();
  if (request.has_functions)
    for (const auto& pair : text.at("functions")) request.functions.emplace_back(pair.at(0), pair.at(1));
  request.cflags = text.at("cflags");
  request.cuda_cflags = text.at("cuda_cflags");
  request.ldflags = text.at("ldflags");
  request.error_handling = text.at("error_handling");
  request.implicit_headers = text.at("implicit_headers");
  return request;
}

struct Bench {
  torch_extension::ExtensionBuilder builder;
  std::optional<torch_extension::TorchHeaders> torch;
  fs::path out;

  torch_extension::SlimBuild build(const torch_extension::ExtensionRequest& request) const {
    if (!torch) return builder.build_slim(request);
    auto result = builder.build_with_torch(request, *torch);
    if (auto* failure = std::get_if<languages::BuildFailure>(&result)) return std::move(*failure);
    return std::get<languages::BuildArtefact>(std::move(result));
  }

  json measure(const std::string& name, const torch_extension::ExtensionRequest& request) const {
    const auto start = std::chrono::steady_clock::now();
    const auto result = build(request);
    json line = {
        {"request", name},
        {"module", request.name},
        {"seconds", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()}};
    if (const auto* built = std::get_if<languages::BuildArtefact>(&result)) {
      line.update({{"outcome", "built"}, {"cached", built->cached}, {"cpu_seconds", built->cpu_seconds}});
      fs::copy_file(built->library, out / (name + ".so"), fs::copy_options::overwrite_existing);
      return line;
    }
    std::string log;
    if (const auto* narrow = std::get_if<torch_extension::NotSlim>(&result)) {
      line.update({{"outcome", "not slim"}, {"detail", narrow->because}});
      log = narrow->log;
    } else {
      const auto& failure = std::get<languages::BuildFailure>(result);
      line.update({{"outcome", to_string(failure.reason)}, {"detail", failure.detail}});
      log = failure.log;
    }
    std::ofstream(out / (name + ".log")) << log;
    return line;
  }
};

std::optional<torch_extension::TorchHeaders> headers_named(const std::string& mode) {
  if (mode == "slim") return std::nullopt;
  const auto paths = mode.substr(mode.find('=') + 1);
  const auto comma = paths.find(',');
  auto found = torch_extension::find_torch_headers(paths.substr(0, comma), paths.substr(comma + 1));
  if (const auto* words = std::get_if<std::string>(&found)) throw MachineCannot(*words);
  return std::get<torch_extension::TorchHeaders>(std::move(found));
}

Task task_for(const fs::path& answer) {
  json inputs = json::array();
  Module module;
  module.file = answer.stem();
  module.init_arguments = "[]";
  module.init_named = "{}";
  if (std::ifstream file(answer.string() + ".init"); file) {
    const auto init = json::parse(file);
    module.init_arguments = init.at("arguments").dump();
    module.init_named = init.at("named").dump();
    inputs = init.value("inputs", json::array());
  }
  Task task;
  for (const auto& [shape, dtype] :
       inputs.get<std::vector<std::pair<std::vector<std::int64_t>, std::string>>>()) {
    Tensor tensor;
    tensor.name = "x" + std::to_string(task.parameters.size());
    tensor.dtype = from_name<DType>(dtype).value();
    for (const auto size : shape) tensor.shape.push_back(Expression::parse(std::to_string(size)));
    task.parameters.emplace_back(std::move(tensor));
  }
  task.name = "answer";
  task.cases.emplace_back();
  task.module = module;
  return task;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void print(const json& line) {
  std::cout << line.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
}

void run_answers(bool torch_headers, const fs::path& out, const std::vector<fs::path>& answers) {
  const auto isolation = sandbox::best_level(sandbox::probe_isolation());
  const auto host = languages::find_toolchain(isolation);
  if (!host) throw MachineCannot("no C++ compiler was found");
  const auto nvcc = languages::find_nvcc(isolation, *host);
  if (!nvcc) throw MachineCannot(languages::no_nvcc);
  const auto python = languages::find_python();
  if (const auto* none = std::get_if<languages::NoPython>(&python)) throw MachineCannot(none->reason);
  const auto& found = std::get<languages::PythonToolchain>(python);
  fs::create_directories(out);
  const fs::path cache = out / "cache";
  fs::remove_all(cache);
  const torch_answer::TorchBuilder builder(
      found, {cache, isolation},
      torch_answer::ModuleTools{
          torch_extension::ExtensionBuilder(*nvcc,
                                            {cache, isolation, torch_extension::default_extension_limits()}),
          fs::read_symlink("/proc/self/exe").parent_path() / "libridgeline-python-runner.so",
          torch_extension::find_torch_headers(found.package, found.include)});
  const auto build = [&](const Task& task, const std::string& source) {
    return builder.build(task, make_candidate(Language::torch, source), torch_headers);
  };
  build(task_for("none"), "import torch.utils.cpp_extension\nModelNew = 1\n");  // starts the recorder
  for (const auto& path : answers) {
    const auto start = std::chrono::steady_clock::now();
    const auto result = build(task_for(path), text_of(path));
    json line = {
        {"answer", path.stem()},
        {"seconds", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()}};
    if (const auto* built = std::get_if<languages::BuildArtefact>(&result)) {
      line.update({{"outcome", "built"}, {"cpu_seconds", built->cpu_seconds}, {"detail", built->note}});
    } else {
      const auto& failure = std::get<languages::BuildFailure>(result);
      line.update({{"outcome", to_string(failure.reason)}, {"detail", failure.detail}});
      std::ofstream(out / (path.stem().string() + ".log")) << failure.log;
    }
    print(line);
  }
}

/// From an empty cache in `out`.
Bench make_bench(const std::string& mode, const fs::path& out) {
  const auto isolation = sandbox::best_level(sandbox::probe_isolation());
  const auto host = languages::find_toolchain(isolation);
  if (!host) throw MachineCannot("no C++ compiler was found");
  const auto nvcc = languages::find_nvcc(isolation, *host);
  if (!nvcc) throw MachineCannot(languages::no_nvcc);
  fs::create_directories(out);
  const fs::path cache = out / "cache";
  fs::remove_all(cache);
  return {torch_extension::ExtensionBuilder(*nvcc,
                                            {cache, isolation, torch_extension::default_extension_limits()}),
          headers_named(mode), out};
}

void run(const std::string& mode, const fs::path& out, const std::vector<fs::path>& requests) {
  const auto bench = make_bench(mode, out);
  for (const auto& path : requests) print(bench.measure(path.stem(), read_request(path)));
}

/// 0 if it was built.
int run_short() {
  if (bench::skipped_without_nvcc()) return 0;
  auto pattern = (fs::temp_directory_path() / "ridgeline-bench-inline-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw MachineCannot("cannot make the folder " + pattern);
  const auto line = make_bench("slim", pattern).measure("scale", torch_extension::scale_request());
  fs::remove_all(pattern);
  print(line);
  return line.at("outcome") == "built" ? 0 : 1;
}

}  // namespace
}  // namespace ridgeline

int main(int count, char** words) try {
  if (ridgeline::bench::take_short(count, words)) return ridgeline::run_short();
  if (count < 4) {
    std::cerr
        << "usage: bench-inline_cuda --short | slim|torch=PACKAGE,PYTHON_INCLUDE|answers|slim-answers OUT "
           "REQUEST.json|ANSWER.py...\n";
    return 2;
  }
  const std::string mode = words[1];
  if (mode.ends_with("answers"))
    ridgeline::run_answers(mode == "answers", words[2], {words + 3, words + count});
  else
    ridgeline::run(mode, words[2], {words + 3, words + count});
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
