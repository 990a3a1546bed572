#include "tests/engine/worker/agent/fake_judge.hpp"

#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::agent {
namespace {

constexpr std::string_view prefix = "fake-judge-";

protocol::Described describe_self(const std::string& id) {
  protocol::Described described;
  described.id = id;
  described.torch = std::to_string(::getpid());
  described.backends = {"cpu"};
  described.devices = {{"a fake device", "cpu", 0, 0}};
  for (char** entry = environ; *entry != nullptr; ++entry) described.shortfalls.emplace_back(*entry);
  return described;
}

[[noreturn]] void behave(const std::string& how) {
  while (const auto document = protocol::read_frame(STDIN_FILENO)) {
    const auto message = protocol::decode_to_judge(*document);
    if (const auto* describe = std::get_if<protocol::Describe>(&message)) {
      protocol::send(STDOUT_FILENO, protocol::FromJudge(describe_self(describe->id)));
      continue;
    }
    if (how == "dies") ::_exit(3);
    if (how == "silent") continue;
    if (how == "garbage") {
      const std::string greeting = "Segmentation fault, said the library\n";
      ::_exit(::write(STDOUT_FILENO, greeting.data(), greeting.size()) > 0 ? 0 : 1);
    }
    const auto& judge = std::get<protocol::JudgeRequest>(message);
    Verdict verdict;
    verdict.at(Stage::call).status = verdict.at(Stage::correctness).status = Status::passed;
    verdict.device = judge.artefact;
    verdict.isolation.level = judge.settings.isolation;
    protocol::send(STDOUT_FILENO, protocol::FromJudge(protocol::Judged{judge.id, verdict}));
  }
  ::_exit(0);
}

/// Before main, so that no line of the test framework gets between the frames.
const bool is_no_fake = [] {
  const std::string name = std::filesystem::path(program_invocation_name).filename();
  if (name.starts_with(prefix)) behave(name.substr(prefix.size()));
  return true;
}();

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "ridgeline-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
  path = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

std::string fake_judge(const TemporaryFolder& folder, const std::string& how) {
  const auto program = folder.path / (std::string(prefix) + how);
  std::filesystem::create_symlink(std::filesystem::read_symlink("/proc/self/exe"), program);
  return is_no_fake ? program.string() : "";
}

}  // namespace ridgeline::agent
