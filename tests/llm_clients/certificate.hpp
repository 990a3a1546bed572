// A self-signed certificate made on the spot, for localhost, 127.0.0.1 and model.test.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>

namespace ridgeline::llm::test {

struct FreeSsl {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* ssl) const { SSL_free(ssl); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(BIO* bio) const { BIO_free(bio); }
};

struct ServerTls {
  std::unique_ptr<SSL_CTX, FreeSsl> context;
  std::string pem;  ///< what a client must trust
};

ServerTls make_server_tls();

}  // namespace ridgeline::llm::test
