#include "llm_clients/key_source.hpp"

namespace ridgeline::llm {

bool KeySource::wants_command(TimePoint now) const {
  if (command_.empty()) return false;
  if (!printed_at_) return true;
  return refresh_ > 0 && now >= *printed_at_ + clock_seconds(refresh_);
}

void KeySource::printed(std::string key, TimePoint now) {
  key_ = std::move(key);
  printed_at_ = now;
}

bool KeySource::refused(const std::string& key) {
  if (command_.empty()) return false;
  if (key != key_ || !printed_at_)
    return true;  // the key was replaced meanwhile, so the request is sent again with the new one
  // A fresh key that is refused too means that the account is at fault, not the age of the key.
  if (++refusals_ > 1) return false;
  printed_at_.reset();
  return true;
}

void KeySource::accepted(const std::string& key) {
  // An answer to an older key says nothing about the present one.
  if (key == key_) refusals_ = 0;
}

}  // namespace ridgeline::llm
