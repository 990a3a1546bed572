#include "engine/core/hash.hpp"

#include <openssl/evp.h>

#include <array>
#include <memory>

#include "engine/core/error.hpp"

namespace ridgeline {
namespace {

/// Owns one SHA-256 computation of OpenSSL, to which text is added in pieces.
class Digest {
 public:
  Digest() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
      throw MachineCannot("OpenSSL offers no SHA-256 here (a FIPS configuration without it?)");
  }

  void add(std::string_view text) { EVP_DigestUpdate(context_.get(), text.data(), text.size()); }

  Hash finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned int size = 0;
    EVP_DigestFinal_ex(context_.get(), bytes.data(), &size);
    static constexpr char digits[] = "0123456789abcdef";
    Hash hex;
    hex.reserve(size * 2);
    for (unsigned int i = 0; i < size; ++i) {
      hex += digits[bytes[i] >> 4];
      hex += digits[bytes[i] & 15];
    }
    return hex;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

Hash sha256(std::string_view text) {
  Digest digest;
  digest.add(text);
  return digest.finish();
}

Hash sha256_of(std::initializer_list<std::string_view> parts) {
  Digest digest;
  for (const auto part : parts) {
    digest.add(std::to_string(part.size()));
    digest.add(":");
    digest.add(part);
  }
  return digest.finish();
}

}  // namespace ridgeline
