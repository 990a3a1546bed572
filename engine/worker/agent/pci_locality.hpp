// Reads which cores lie near a device on the PCI bus, as Linux says under /sys.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ridgeline::agent {

/// Where a device lies.
struct PciLocality {
  int numa_node = -1;           ///< -1: the machine has a single node, or none is reported
  std::vector<int> local_cpus;  ///< empty: it does not say
};

/// Reads `bus/devices/ID/{numa_node,local_cpulist}`. `bus_id` is "0000:1B:00.0" as the driver writes it; ""
/// and one that is not there give a locality without facts. Virtual machines and containers often say
/// nothing.
PciLocality pci_locality(const std::string& bus_id, const std::filesystem::path& bus = "/sys/bus/pci");

}  // namespace ridgeline::agent
