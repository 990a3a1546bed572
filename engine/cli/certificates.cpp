#include "engine/cli/certificates.hpp"

#include <fmt/format.h>
#include <openssl/x509.h>

#include <cstdlib>
#include <filesystem>

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;

std::string from_environment(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  return value != nullptr ? value : otherwise;
}

}  // namespace

std::optional<std::string> certificates_problem(const std::string& file, const std::string& folder) {
  std::error_code error;
  const bool in_file = fs::file_size(file, error) > 0 && !error;
  const auto entries = fs::directory_iterator(folder, error);
  const bool in_folder = !error && entries != fs::directory_iterator();
  if (in_file || in_folder) return std::nullopt;
  return fmt::format(
      "no certificates of authorities are in {} or {}, so no model can be asked over https: install "
      "ca-certificates "
      "(apt-get install ca-certificates), or set SSL_CERT_FILE to a file of them",
      file, folder);
}

std::optional<std::string> certificates_problem() {
  return certificates_problem(
      from_environment(::X509_get_default_cert_file_env(), ::X509_get_default_cert_file()),
      from_environment(::X509_get_default_cert_dir_env(), ::X509_get_default_cert_dir()));
}

}  // namespace ridgeline::cli
