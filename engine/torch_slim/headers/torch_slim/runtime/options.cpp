#include "torch_slim/options.h"

namespace c10 {
Device::Device(const char* name) : type_(kCPU) {
  if (std::strncmp(name, "cuda", 4) == 0) {
    type_ = kCUDA;
    if (name[4] == ':') index_ = static_cast<DeviceIndex>(std::atoi(name + 5));
  } else if (std::strcmp(name, "cpu") != 0) {
    torch_slim::fail(torch_slim::text("the slim headers know no device ", name));
  }
}
}  // namespace c10

namespace torch_slim {
Text& operator<<(Text& out, c10::DeviceType type) {
  return out << (type == c10::kCPU ? "cpu" : "cuda");
}
Text& operator<<(Text& out, c10::Device device) {
  out << device.type();
  return device.has_index() ? out << ':' << int(device.index()) : out;
}

}  // namespace torch_slim
