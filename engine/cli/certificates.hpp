// Whether https servers can be verified here.
#pragma once

#include <optional>
#include <string>

namespace ridgeline::cli {

/// Why not, with the fix; nullopt if certificates of authorities are where OpenSSL looks for them: where
/// SSL_CERT_FILE and SSL_CERT_DIR say, else where it was built to look.
std::optional<std::string> certificates_problem();

/// The same decision on the two places.
std::optional<std::string> certificates_problem(const std::string& file, const std::string& folder);

}  // namespace ridgeline::cli
