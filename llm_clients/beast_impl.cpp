// Asio's TLS half and Beast, compiled once (see cmake/Dependencies.cmake; Asio's core is in `asio`).
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/beast/src.hpp>
