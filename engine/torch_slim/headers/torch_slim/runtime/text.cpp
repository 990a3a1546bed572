#include "torch_slim/text.h"

namespace torch_slim {
namespace {

template <class T>
Text& printed(Text& out, const char* format, T value) {
  char digits[32];
  return out.append(digits, size_t(std::snprintf(digits, sizeof digits, format, value))), out;
}

}  // namespace

void Text::append(const char* text, size_t length) {
  if (size_ + length + 1 > room_) {
    room_ = 2 * (size_ + length) + 64;
    data_ = static_cast<char*>(std::realloc(data_, room_));
  }
  std::memcpy(data_ + size_, text, length);
  data_[size_ += length] = 0;
}

Text& Text::operator<<(const char* text) {
  return append(text, std::strlen(text)), *this;
}
Text& Text::operator<<(const Text& text) {
  return append(text.c_str(), text.size()), *this;
}
Text& Text::operator<<(char c) {
  return append(&c, 1), *this;
}
Text& Text::operator<<(bool value) {
  return *this << (value ? '1' : '0');
}
Text& Text::operator<<(int value) {
  return printed(*this, "%d", value);
}
Text& Text::operator<<(unsigned value) {
  return printed(*this, "%u", value);
}
Text& Text::operator<<(long value) {
  return printed(*this, "%ld", value);
}
Text& Text::operator<<(unsigned long value) {
  return printed(*this, "%lu", value);
}
Text& Text::operator<<(long long value) {
  return printed(*this, "%lld", value);
}
Text& Text::operator<<(unsigned long long value) {
  return printed(*this, "%llu", value);
}
Text& Text::operator<<(double value) {
  return printed(*this, "%g", value);
}
Text& Text::operator<<(const void* value) {
  return printed(*this, "%p", value);
}

}  // namespace torch_slim
