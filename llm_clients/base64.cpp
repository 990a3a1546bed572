#include "llm_clients/base64.hpp"

#include <openssl/evp.h>

namespace ridgeline::llm {

std::string base64(std::string_view bytes) {
  // EVP_EncodeBlock writes a NUL behind the text, for which the extra byte is reserved.
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

}  // namespace ridgeline::llm
