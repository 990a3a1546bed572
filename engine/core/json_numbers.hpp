// Reads documents whose numbers others chose. nlohmann casts any number to the type asked for, which is
// undefined for one that the type does not hold, as 1e300 for an int. Here such a number is refused.
//
// Errors: ridgeline::Error for such a number, nlohmann's exceptions for a document of another shape.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <ranges>
#include <utility>

#include "engine/core/error.hpp"

namespace ridgeline {

template <class T>
concept WholeNumber = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

/// Returns whether a T holds the number, its digits behind the point cut off. True for what is no number.
template <WholeNumber T>
bool holds_number(const nlohmann::json& in) {
  if (in.is_number_unsigned()) return std::in_range<T>(in.get<std::uint64_t>());
  if (in.is_number_integer()) return std::in_range<T>(in.get<std::int64_t>());
  if (!in.is_number_float()) return true;
  using Limits = std::numeric_limits<T>;
  const double whole = std::trunc(in.get<double>());  // held against bounds that a double has exactly
  return whole >= static_cast<double>(Limits::min()) && whole < std::ldexp(1.0, Limits::digits);
}

/// Throws Error if `in`, read as a T, has a whole number that is beyond its type. Looks into optionals,
/// sequences, and maps by name; every other type reads its own parts.
template <class T>
void require_held_numbers(const nlohmann::json& in) {
  if constexpr (WholeNumber<T>) {
    if (!holds_number<T>(in)) throw Error("the number " + in.dump() + " is too large or too small");
  } else if constexpr (requires(T optional) { optional.has_value(); }) {
    require_held_numbers<typename T::value_type>(in);
  } else if constexpr (requires { typename T::mapped_type; }) {
    if (in.is_object())
      for (const auto& item : in) require_held_numbers<typename T::mapped_type>(item);
  } else if constexpr (std::ranges::range<T>) {
    if (in.is_array())
      for (const auto& item : in) require_held_numbers<std::ranges::range_value_t<T>>(item);
  }
}

/// Reads as nlohmann's get_to().
template <class T>
void read_json(const nlohmann::json& in, T& value) {
  require_held_numbers<T>(in);
  in.get_to(value);
}

/// Reads as nlohmann's get().
template <class T>
T read_json(const nlohmann::json& in) {
  require_held_numbers<T>(in);
  return in.get<T>();
}

/// Reads as nlohmann's value(): a missing key gives `unset`.
template <class T>
T read_json(const nlohmann::json& in, const char* key, const T& unset) {
  if (in.is_object())
    if (const auto found = in.find(key); found != in.end()) require_held_numbers<T>(*found);
  return in.value(key, unset);
}

}  // namespace ridgeline
