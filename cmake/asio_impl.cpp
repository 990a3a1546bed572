// Asio's own code, compiled once for every room that links `asio` (BOOST_ASIO_SEPARATE_COMPILATION).
// Its TLS half and Beast are compiled in llm_clients/beast_impl.cpp, the only room that needs them.
#include <boost/asio/impl/src.hpp>
