// Asio's TLS half, compiled once (see cmake/Dependencies.cmake; Asio's core and Beast are in `asio`).
#include <boost/asio/ssl/impl/src.hpp>
