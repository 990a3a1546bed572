// Beast, compiled once (see cmake/Dependencies.cmake).
#include <boost/beast/src.hpp>
