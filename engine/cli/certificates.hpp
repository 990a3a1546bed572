// Finds out whether https servers can be verified on this machine.
#pragma once

#include <optional>
#include <string>

namespace ridgeline::cli {

/// Returns nullopt if there are certificates of authorities where OpenSSL looks for them: where SSL_CERT_FILE
/// and SSL_CERT_DIR say, else where it was built to look. Otherwise returns what is missing and how to fix
/// it.
std::optional<std::string> certificates_problem();

/// Decides the same for a given file and folder.
std::optional<std::string> certificates_problem(const std::string& file, const std::string& folder);

}  // namespace ridgeline::cli
