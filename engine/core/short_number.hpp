// Writes a number for people with three significant digits. Pure.
#pragma once

#include <string>

namespace ridgeline {

/// Returns "0.26", "12.3", "4.19". Numbers from 1000 on have no decimals and keep all their digits: "4800",
/// not "4.8e+03". Numbers below 1e-4 have an exponent.
std::string short_number(double value);

}  // namespace ridgeline
