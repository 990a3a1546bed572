// Asio's own code, compiled once for every room that links `asio` (BOOST_ASIO_SEPARATE_COMPILATION).
// Its TLS half is compiled in llm_clients/tls_impl.cpp, the only room that needs it.
#include <boost/asio/impl/src.hpp>
