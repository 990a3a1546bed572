#include "tests/llm_clients/certificate.hpp"

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <stdexcept>

namespace ridgeline::llm::test {
namespace {

void must(bool done) {
  if (!done) throw std::runtime_error("OpenSSL refuses to make the test's certificate");
}

}  // namespace

ServerTls make_server_tls() {
  const std::unique_ptr<EVP_PKEY, FreeSsl> key(EVP_EC_gen("P-256"));
  const std::unique_ptr<X509, FreeSsl> certificate(X509_new());
  must(key && certificate);
  X509* x509 = certificate.get();
  X509_set_version(x509, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
  X509_gmtime_adj(X509_getm_notBefore(x509), -3600);
  X509_gmtime_adj(X509_getm_notAfter(x509), 3600);
  X509_NAME* name = X509_get_subject_name(x509);
  must(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                  reinterpret_cast<const unsigned char*>("fake model"), -1, -1, 0) == 1);
  X509_set_issuer_name(x509, name);
  X509_set_pubkey(x509, key.get());
  X509_EXTENSION* names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name,
                                              "DNS:localhost,DNS:model.test,IP:127.0.0.1");
  must(names != nullptr);
  X509_add_ext(x509, names, -1);
  X509_EXTENSION_free(names);
  must(X509_sign(x509, key.get(), EVP_sha256()) > 0);

  ServerTls tls;
  tls.context.reset(SSL_CTX_new(TLS_server_method()));
  must(tls.context && SSL_CTX_use_certificate(tls.context.get(), x509) == 1 &&
       SSL_CTX_use_PrivateKey(tls.context.get(), key.get()) == 1);
  const std::unique_ptr<BIO, FreeSsl> memory(BIO_new(BIO_s_mem()));
  must(PEM_write_bio_X509(memory.get(), x509) == 1);
  char* text = nullptr;
  const auto size = BIO_get_mem_data(memory.get(), &text);
  tls.pem.assign(text, static_cast<std::size_t>(size));
  return tls;
}

}  // namespace ridgeline::llm::test
