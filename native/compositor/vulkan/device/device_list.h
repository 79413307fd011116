#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vulkan/instance.h"

namespace framewright {

// The devices of a host, used in rotation: the best ones, without those that failed. Not thread-safe.
class DeviceList {
 public:
  // `start`: index of the first device among equals, so that processes start with different ones.
  DeviceList(const std::vector<vulkan::DeviceProperties>& devices, size_t start);

  // The index of the next device; nothing when none is left. Software devices only if `software` is set.
  std::optional<size_t> next(bool software);
  // Stops using a device. `why` completes "not used: NAME: …".
  void exclude(size_t device, std::string why);

  // The devices between which next() rotates.
  std::vector<size_t> best(bool software) const;
  // Text that lists the used devices, and the others with the reason.
  std::string describe() const;

 private:
  struct Entry {
    std::string name;
    int rank = 0;
    std::string exclusion;  // reason for not using it; empty: usable
  };
  std::vector<Entry> entries_;
  size_t next_;
};

}  // namespace framewright
