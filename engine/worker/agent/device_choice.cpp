#include "engine/worker/agent/device_choice.hpp"

namespace ridgeline::agent {

std::optional<std::string> DeviceChoice::choose(int device, std::size_t devices,
                                                const std::vector<WaitingRequest>& waiting) {
  if (waiting.empty()) return std::nullopt;
  if (devices <= 1) return waiting.front().id;
  std::map<std::set<int>, std::size_t> queues;  // older requests that wait for the same devices
  std::vector<std::string> left;
  for (const auto& one : waiting) {
    if (one.lost_on == device) continue;
    const auto found = homes_.find(one.task);
    const bool homeless = found == homes_.end() || found->second.devices.empty() || one.lost_on >= 0;
    if (homeless || found->second.devices.contains(device) || found->second.missed >= kMissed ||
        waits_[one.id].passed >= kMostPassed || queues[found->second.devices]++ >= kDeepQueue) {
      for (const auto& older : left) ++waits_[older].passed;
      return one.id;
    }
    left.push_back(one.id);
  }
  for (const auto& id : left) waits_[id].declined = true;
  return std::nullopt;
}

bool DeviceChoice::should_prepare(int device, std::size_t devices, const std::string& task) const {
  if (devices <= 1) return true;
  const auto found = homes_.find(task);
  return found == homes_.end() || found->second.devices.empty() || found->second.devices.contains(device);
}

void DeviceChoice::preparation_begins(const std::string& task, int device) {
  if (task.empty()) return;
  if (auto& home = homes_[task]; home.devices.empty()) home.devices.insert(device);
}

void DeviceChoice::measurement_begins(const std::string& id, const std::string& task, int device) {
  const bool declined = waits_[id].declined;
  waits_.erase(id);
  if (task.empty()) return;
  auto& home = homes_[task];
  if (home.devices.insert(device).second)
    home.missed = 0;
  else if (declined)
    ++home.missed;
}

void DeviceChoice::forget(const std::string& id) {
  waits_.erase(id);
}

void DeviceChoice::device_given_up(int device) {
  for (auto& [task, home] : homes_) home.devices.erase(device);
}

}  // namespace ridgeline::agent
