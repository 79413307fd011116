#include "compositor/vulkan/device/device_list.h"

#include <algorithm>

namespace framewright {
namespace {

constexpr int kSoftware = 0;

// Preference order: devices with their own memory first.
int rankOf(vulkan::DeviceType type) {
  using vulkan::DeviceType;
  switch (type) {
    case DeviceType::kDiscrete:
      return 4;
    case DeviceType::kVirtual:
      return 3;
    case DeviceType::kIntegrated:
      return 2;
    case DeviceType::kOther:
      return 1;
    case DeviceType::kCpu:
      break;
  }
  return kSoftware;
}

}  // namespace

DeviceList::DeviceList(const std::vector<vulkan::DeviceProperties>& devices, size_t start) : next_(start) {
  for (const vulkan::DeviceProperties& device : devices)
    entries_.push_back({device.name, rankOf(device.type), device.missing});
}

std::vector<size_t> DeviceList::best(bool software) const {
  std::vector<size_t> found;
  int rank = software ? kSoftware : kSoftware + 1;
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].exclusion.empty() || entries_[i].rank < rank) continue;
    if (entries_[i].rank > rank) found.clear();
    rank = entries_[i].rank;
    found.push_back(i);
  }
  return found;
}

std::optional<size_t> DeviceList::next(bool software) {
  const std::vector<size_t> devices = best(software);
  if (devices.empty()) return std::nullopt;
  return devices[next_++ % devices.size()];
}

void DeviceList::exclude(size_t device, std::string why) { entries_[device].exclusion = std::move(why); }

std::string DeviceList::describe() const {
  const std::vector<size_t> used = best(false);
  std::string words, others;
  for (size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (std::find(used.begin(), used.end(), i) != used.end()) {
      words += (words.empty() ? "" : ", ") + entry.name;
      continue;
    }
    const std::string why = !entry.exclusion.empty()  ? entry.exclusion
                            : entry.rank == kSoftware ? "in software"
                                                      : "others are better";
    others += (others.empty() ? "" : "; ") + entry.name + ": " + why;
  }
  if (used.size() > 1) words += " in rotation";
  if (others.empty()) return words;
  return words + (words.empty() ? "" : "; ") + "not used: " + others;
}

}  // namespace framewright
