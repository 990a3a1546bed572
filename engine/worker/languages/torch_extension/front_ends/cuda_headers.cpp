#include "engine/worker/languages/torch_extension/front_ends/cuda_headers.hpp"

#include <fstream>
#include <iterator>

#include "engine/core/error.hpp"
#include "engine/worker/languages/cuda/nvcc/plan.hpp"
#include "engine/worker/languages/torch_extension/compose.hpp"
#include "engine/worker/languages/torch_extension/front_ends/texts.hpp"

namespace ridgeline::front_ends {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kHeldSource = "cuda.cu";
constexpr const char* kHeldInput = "cuda.cpp4.ii";  // cudafe++'s, of the headers alone
constexpr const char* kParsedInto = "cuda.cudafe1.cpp";
constexpr double kStartLimit = 180;  // seconds; 11 to 16 where nothing else runs
constexpr std::uint64_t kHeldGiB = std::uint64_t{1} << 30;
constexpr std::uint64_t kAddresses = 6 * kHeldGiB;  // of a held process, and of each of its children

/// nvcc over cuda.cu with torch's flags.
Words nvcc_command(const Tools& tools) {
  return torch_extension::compile_command(tools.toolchain, plain_build(tools, wrong_cuda().name),
                                          {torch_extension::ExtensionUnit::Compiler::nvcc, kHeldSource, {}});
}

/// A plan speaks of kernel.cu, and of its folder.
Words for_held_source(Words words, const fs::path& folder) {
  for (auto& word : words) {
    if (word.starts_with(nvcc::kFolderWord)) word = (folder / word.substr(nvcc::kFolderWord.size())).string();
    const auto name = word.rfind('/') + 1;  // 0 where there is none
    if (std::string_view(word).substr(name).starts_with("kernel.")) word.replace(name, 6, "cuda");
  }
  return words;
}

std::optional<nvcc::Plan> plan_of(const languages::Workshop& workshop, const Tools& tools,
                                  const std::atomic<bool>& stop) {
  const auto scratch = workshop.scratch();
  scratch.write("kernel.cu", "");
  auto words = nvcc_command(tools);
  words.resize(words.size() - 4);  // -c cuda.cu -o cuda.cu.o
  words.insert(words.begin() + 1, {"--dryrun", "--keep"});
  words.insert(words.end(), {"-shared", "-nodlink", "kernel.cu", std::string{nvcc::kTrampolineWord}, "-o",
                             std::string{languages::kLibraryFile}});
  const auto said = run_unless(stop, reading_torch(tools, scratch.path(), true), words);
  return said && said->ok() ? nvcc::parse_dryrun(said->err, scratch.path().string()) : std::nullopt;
}

fs::path texts_folder(const languages::Workshop& workshop, const Tools& tools, const nvcc::Plan& plan) {
  std::string text = tools.torch.version + tools.toolchain.fingerprint + held_text() +
                     wrong_cuda().cuda_sources.front() + "1";
  for (const auto* words : {&plan.expand_host, &plan.cudafe})
    for (const auto& word : *words) text += '\n' + word;
  return workshop.cache().folder() / ("header-held-" + sha256_of({text}));
}

/// cudafe++ stands beside nvcc, which names it without a folder.
Words parse_words(const Tools& tools, const nvcc::Plan& plan, const fs::path& folder) {
  auto words = for_held_source(plan.cudafe, folder);
  words.front() = (fs::path(tools.toolchain.program).parent_path() / "cudafe++").string();
  return words;
}

std::string text_in(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::optional<CudaHeaders> found(const languages::Workshop& workshop, const Tools& tools,
                                 const nvcc::Plan& plan) {
  CudaHeaders headers;
  headers.folder = texts_folder(workshop, tools, plan);
  headers.hold = workshop.cache().hold(headers.folder);
  if (!headers.hold) return std::nullopt;
  headers.expand = for_held_source(plan.expand_host, headers.folder);
  headers.expand.resize(headers.expand.size() - 2);  // "-o" and the file: it goes to stdout
  headers.parse = parse_words(tools, plan, headers.folder);
  headers.expected = text_in(headers.folder / "expected");
  return headers;
}

/// Fills the folder `held` of the scratch folder. Returns whether all went well.
bool make_texts(const languages::Workshop& workshop, const languages::BuildScratch& scratch,
                const Tools& tools, const nvcc::Plan& plan, const std::atomic<bool>& stop) {
  const auto policy = reading_torch(tools, scratch.path(), true);
  scratch.write(kHeldSource, headers_text());
  const auto expanded = run_unless(stop, policy, for_held_source(plan.expand_host, scratch.path()));
  if (!expanded || !expanded->ok()) return false;
  scratch.write(kHeldSource, torch_extension::compose_as_torch(wrong_cuda()).back().text);
  const auto said = run_unless(stop, policy, nvcc_command(tools));
  if (!said) return false;
  const auto expected = from_first_error(workshop.without_paths(said->err, scratch, tools.torch.includes()));
  fs::create_directory(scratch.file("held"));
  fs::rename(scratch.file(kHeldInput), scratch.file("held") / kHeldInput);
  scratch.write("held/cuda.cu", held_text());
  scratch.write("held/cuda.module_id", "_0_7_cuda_cu_0");
  scratch.write("held/expected", expected);
  return !expected.empty();
}

HeldPlan held_plan(const CudaHeaders& headers, const Tools& tools, const Words& words) {
  HeldPlan plan;
  plan.words = words;
  plan.policy = reading_torch(tools, headers.folder, false);
  sandbox::Limits limits;
  limits.address_space = kAddresses;
  limits.file_size = tools.settings.limits.file_size;
  limits.open_files = 1024;
  limits.processes = 128;
  limits.kept_output = 4096;
  plan.policy.limit(limits);
  plan.readable = {"/usr", "/lib", "/lib64", "/etc/alternatives", headers.folder.string()};
  for (const auto& include : tools.torch.includes()) plan.readable.push_back(include.string());
  for (const auto& root : tools.toolchain.roots) plan.readable.push_back(root);
  if (!tools.toolchain.host.root.empty()) plan.readable.push_back(tools.toolchain.host.root);
  plan.library = tools.library;
  return plan;
}

}  // namespace

std::optional<CudaHeaders> cuda_headers(const languages::Workshop& workshop, const Tools& tools,
                                        const std::atomic<bool>& stop, std::string& why) {
  const auto plan = plan_of(workshop, tools, stop);
  if (!plan) {
    why = "nvcc's steps are not the known ones";
    return std::nullopt;
  }
  if (auto headers = found(workshop, tools, *plan)) return headers;
  const auto scratch = workshop.scratch();
  if (!make_texts(workshop, scratch, tools, *plan, stop)) {
    why = "torch's headers could not be expanded";
    return std::nullopt;
  }
  workshop.cache().keep(scratch.file("held"), texts_folder(workshop, tools, *plan));
  return found(workshop, tools, *plan);
}

HeldPair hold(const CudaHeaders& headers, const Tools& tools, const std::atomic<bool>& stop) {
  auto expansion = held_plan(headers, tools, headers.expand);
  expansion.variables = {{"RIDGELINE_HOLD_AT", std::string{held_at}}, {"RIDGELINE_QUOTED", kHeldSource}};
  auto parser = held_plan(headers, tools, headers.parse);
  parser.variables = {{"RIDGELINE_HOLD_BEHIND", kHeldInput}, {"RIDGELINE_PARSED", kParsedInto}};
  expansion.stop = parser.stop = &stop;
  HeldPair pair{std::make_unique<HeldProcess>(expansion), std::make_unique<HeldProcess>(parser)};
  for (auto* process : {pair.expansion.get(), pair.parser.get()})
    if (const auto words = process->await(kStartLimit); !words.empty())
      throw MachineCannot("a front end did not start: " + words);
  return pair;
}

std::string distrust(HeldPair& pair, const CudaHeaders& headers) {
  const auto said_of = [&](const torch_extension::ExtensionRequest& request) {
    const auto text =
        text_for_expansion(torch_extension::compose_as_torch(request).back().text, request.name).value();
    auto said = pair.expansion->ask(text);
    const auto rest = said.end == Said::End::passed ? text_for_parsing(said.output) : std::nullopt;
    return rest ? pair.parser->ask(*rest) : said;
  };
  const auto wrong = said_of(wrong_cuda());
  if (wrong.end != Said::End::failed || from_first_error(wrong.messages) != headers.expected)
    return "held front ends say other things than nvcc: " + wrong.why + wrong.messages;
  const auto right = said_of(right_request());
  return right.end == Said::End::passed
             ? ""
             : "a right cuda.cu does not pass the held front ends: " + right.why + right.messages;
}

}  // namespace ridgeline::front_ends
