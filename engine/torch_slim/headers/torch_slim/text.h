// A growing text for messages: what a std::ostringstream prints by default, without <sstream> (a quarter of a
// second a build).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace torch_slim {

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

  void append(const char* text, size_t length);
  Text& operator<<(const char* text);
  Text& operator<<(const Text& text);
  Text& operator<<(char c);
  Text& operator<<(bool value);
  Text& operator<<(int value);
  Text& operator<<(unsigned value);
  Text& operator<<(long value);
  Text& operator<<(unsigned long value);
  Text& operator<<(long long value);
  Text& operator<<(unsigned long long value);
  Text& operator<<(double value);
  Text& operator<<(const void* value);
#ifdef _GLIBCXX_STRING
  Text& operator<<(const std::string& text) { return append(text.data(), text.size()), *this; }
#endif

 private:
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
