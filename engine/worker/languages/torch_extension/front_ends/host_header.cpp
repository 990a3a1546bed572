#include "engine/worker/languages/torch_extension/front_ends/host_header.hpp"

#include <fstream>
#include <iterator>

#include "engine/worker/languages/torch_extension/compose.hpp"
#include "engine/worker/languages/torch_extension/front_ends/texts.hpp"

namespace ridgeline::front_ends {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHeader = "torch.hpp";
constexpr const char* kExpected = "expected";
constexpr std::uint64_t kMostBytes = std::uint64_t{2} << 30;  // of the precompiled header

torch_extension::ExtensionUnit main_unit(std::string text) {
  return {torch_extension::ExtensionUnit::Compiler::host, "main.cpp", std::move(text)};
}

/// g++ with torch's flags, up to the files. A name of the module in it would bind the header to that name.
std::vector<std::string> command(const Tools& tools, const std::string& module) {
  auto words = torch_extension::compile_command(tools.toolchain, plain_build(tools, module), main_unit({}));
  words.resize(words.size() - 4);  // -c main.cpp -o main.cpp.o
  if (module.empty())
    std::erase_if(words, [](const std::string& word) { return word.starts_with("-DTORCH_EXTENSION_NAME="); });
  return words;
}

std::vector<std::string> with(std::vector<std::string> words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more);
  return words;
}

fs::path header_folder(const languages::Workshop& workshop, const Tools& tools) {
  std::string words = tools.torch.version + tools.toolchain.host.fingerprint + "1";
  for (const auto& word : command(tools, "")) words += '\n' + word;
  return workshop.cache().folder() / ("header-torch-" + sha256_of({words}));
}

std::string main_text(const torch_extension::ExtensionRequest& request) {
  return torch_extension::compose_as_torch(request).front().text;
}

}  // namespace

std::optional<HostHeader> find_host_header(const languages::Workshop& workshop, const Tools& tools) {
  HostHeader header{header_folder(workshop, tools), nullptr, {}};
  header.hold = workshop.cache().hold(header.folder);
  if (!header.hold) return std::nullopt;
  std::ifstream file(header.folder / kExpected, std::ios::binary);
  header.expected.assign(std::istreambuf_iterator<char>(file), {});
  return header;
}

std::optional<HostHeader> make_host_header(const languages::Workshop& workshop, const Tools& tools,
                                           const std::atomic<bool>& stop, std::string& why) {
  const auto scratch = workshop.scratch();
  auto policy = reading_torch(tools, scratch.path(), true);
  policy.limits.file_size = kMostBytes;
  policy.limits.wall_seconds = 1800;  // it is made beside everything else
  scratch.write("main.cpp", main_text(wrong_main()));
  const auto said =
      run_unless(stop, policy, with(command(tools, wrong_main().name), {"-fsyntax-only", "main.cpp"}));
  if (!said) return std::nullopt;
  const auto expected = from_first_error(workshop.without_paths(said->err, scratch, tools.torch.includes()));
  fs::create_directory(scratch.file("header"));
  scratch.write("header/torch.hpp", "#include <torch/extension.h>\n");
  const auto made = run_unless(
      stop, policy,
      with(command(tools, ""), {"-x", "c++-header", "header/torch.hpp", "-o", "header/torch.hpp.gch"}));
  if (!made) return std::nullopt;
  if (!made->ok() || expected.empty()) {
    why =
        "torch's header cannot be precompiled: " + sandbox::describe(*made) + " " + made->err.substr(0, 300);
    return std::nullopt;
  }
  // Where the precompiled one does not fit, g++ reads this, and stops at once.
  scratch.write("header/torch.hpp", "#error the precompiled header does not fit\n");
  scratch.write("header/expected", expected);
  workshop.cache().keep(scratch.file("header"), header_folder(workshop, tools));
  return find_host_header(workshop, tools);
}

Said parse_behind(const HostHeader& header, const languages::Workshop& workshop, const Tools& tools,
                  const std::string& text, const std::string& module) {
  const auto scratch = workshop.scratch();
  auto policy = reading_torch(tools, scratch.path(), true);
  policy.read(header.folder.string());
  scratch.write("main.cpp", text);
  const auto words =
      with(command(tools, module),
           {"-Winvalid-pch", "-include", (header.folder / kHeader).string(), "-fsyntax-only", "main.cpp"});
  auto exit = sandbox::spawn(policy, words).wait();
  Said said;
  if (exit.err.find("[-Winvalid-pch]") != exit.err.npos ||
      exit.err.find("precompiled header") != exit.err.npos) {
    said.why = "the precompiled header does not fit";
  } else if (exit.ending != sandbox::Ending::exited) {
    said.why = sandbox::describe(exit);
  } else if (auto errors = errors_before_end(exit.err)) {
    said.end = Said::End::failed;
    said.messages = workshop.without_paths(std::move(*errors), scratch, tools.torch.includes());
  } else if (exit.ok() || exit.err.find("ridgeline-end:") != exit.err.npos) {
    said.end = Said::End::passed;
  } else {
    said.why = "g++ told nothing";
  }
  return said;
}

std::string distrust(const HostHeader& header, const languages::Workshop& workshop, const Tools& tools) {
  const auto right = parse_behind(header, workshop, tools, with_end(main_text(right_request())), "right");
  if (right.end != Said::End::passed)
    return "a right main.cpp does not pass behind the precompiled header: " + right.why + right.messages;
  const auto wrong =
      parse_behind(header, workshop, tools, with_end(main_text(wrong_main())), wrong_main().name);
  if (wrong.end != Said::End::failed || from_first_error(wrong.messages) != header.expected)
    return "g++ says other things behind the precompiled header than without: " + wrong.why + wrong.messages;
  return {};
}

}  // namespace ridgeline::front_ends
