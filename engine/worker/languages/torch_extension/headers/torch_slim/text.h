// A growing text for messages: what a std::ostringstream prints by default, without <sstream> (a quarter of a
// second a build).
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace torch_slim __attribute__((visibility("hidden"))) {

  class Text {
   public:
    Text() = default;
    Text(const Text& other) { append(other.c_str(), other.size_); }
    Text(Text&& other) noexcept : data_(other.data_), size_(other.size_), room_(other.room_) {
      other.data_ = nullptr;
      other.size_ = other.room_ = 0;
    }
    Text& operator=(const Text&) = delete;
    ~Text() { std::free(data_); }

    const char* c_str() const { return data_ ? data_ : ""; }
    size_t size() const { return size_; }

    void append(const char* text, size_t length) {
      if (size_ + length + 1 > room_) {
        room_ = 2 * (size_ + length) + 64;
        data_ = static_cast<char*>(std::realloc(data_, room_));
      }
      std::memcpy(data_ + size_, text, length);
      data_[size_ += length] = 0;
    }
    Text& operator<<(const char* text) { return append(text, std::strlen(text)), *this; }
    Text& operator<<(const Text& text) { return append(text.c_str(), text.size()), *this; }
    Text& operator<<(char c) { return append(&c, 1), *this; }
    Text& operator<<(bool value) { return *this << (value ? '1' : '0'); }
    Text& operator<<(int value) { return printed("%d", value); }
    Text& operator<<(unsigned value) { return printed("%u", value); }
    Text& operator<<(long value) { return printed("%ld", value); }
    Text& operator<<(unsigned long value) { return printed("%lu", value); }
    Text& operator<<(long long value) { return printed("%lld", value); }
    Text& operator<<(unsigned long long value) { return printed("%llu", value); }
    Text& operator<<(double value) { return printed("%g", value); }
    Text& operator<<(const void* value) { return printed("%p", value); }
#ifdef _GLIBCXX_STRING
    Text& operator<<(const std::string& text) { return append(text.data(), text.size()), *this; }
#endif

   private:
    template <class T>
    Text& printed(const char* format, T value) {
      char digits[32];
      return append(digits, std::snprintf(digits, sizeof digits, format, value)), *this;
    }

    char* data_ = nullptr;
    size_t size_ = 0, room_ = 0;
  };

  template <class... Parts>
  Text text(const Parts&... parts) {
    Text made;
    (void)(made << ... << parts);
    return made;
  }

}  // namespace torch_slim
