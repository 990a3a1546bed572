// Campaign files in a folder of their own, read as the command line reads them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/campaign/config_reader.hpp"
#include "engine/core/error.hpp"

namespace ridgeline::campaign {

/// Two strategies, two models and their roles.
inline constexpr const char* good = R"(name: trial
strategies:
  - strategy: best_of_n
    settings: {n: 3}
  - strategy: iterative
    label: chain
    settings: {rounds: 4, feedback: g_e}
models:
  fast: {provider: openai_chat, id: m, base_url: "http://127.0.0.1:1/v1", )"
                                    R"(prices: {input: 1, output: 2}, extra: {top_k: 5}}
  judge: {provider: mailbox, path: box}
roles: {generator: fast, critic: judge}
seeds: [1, 2]
budget:
  per_trajectory: {calls: 6}
  total: {usd: 1.5}
worker: {isolation: strict, launcher: "ssh node ridgeline-worker"}
)";

class ConfigReader : public testing::Test {
 protected:
  ConfigReader()
      : folder_(std::filesystem::temp_directory_path() / ("ridgeline-config-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_ / "strategies");
    std::ofstream(folder_ / "strategies" / "mine.yaml") << "strategy: best_of_n\nsettings: {n: 7}\n";
  }
  ~ConfigReader() override { std::filesystem::remove_all(folder_); }

  CampaignConfig read(const std::string& text, const std::vector<std::string>& overrides = {}) {
    const auto file = folder_ / "trial.yaml";
    std::ofstream(file) << text;
    return read_campaign(file, overrides);
  }
  std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
    try {
      read(text, overrides);
    } catch (const BadInput& error) {
      std::string message = error.what();
      if (const auto at = message.find("trial.yaml"); at != std::string::npos) message = message.substr(at);
      return message;
    }
    return "";
  }
  /// The model that plays `role` for the first strategy.
  static std::string model_of_first(const CampaignConfig& config, const std::string& role) {
    return config.model_for_role(config.strategies.front(), role).name;
  }
  static std::string with(std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return text;
  }

  std::filesystem::path folder_;
};

}  // namespace ridgeline::campaign
