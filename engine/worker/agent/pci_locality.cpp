#include "engine/worker/agent/pci_locality.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>

#include "engine/worker/agent/machine.hpp"

namespace ridgeline::agent {

PciLocality pci_locality(const std::string& bus_id, const std::filesystem::path& bus) {
  PciLocality found;
  if (bus_id.empty() || bus_id.find('/') != std::string::npos) return found;
  std::string id = bus_id;  // /sys writes it in small letters
  std::ranges::transform(id, id.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::ifstream(bus / "devices" / id / "numa_node") >> found.numa_node;
  std::string list;
  std::ifstream(bus / "devices" / id / "local_cpulist") >> list;
  found.local_cpus = read_cpu_list(list);
  return found;
}

}  // namespace ridgeline::agent
