#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vulkan/instance.h"

namespace framewright {

// Which of a host's devices draws next: the best by turns, those that failed no more. Used under a lock.
class DeviceRoster {
 public:
  // `turn`: where among equals to begin, so that processes do not all begin with the first.
  DeviceRoster(const std::vector<vulkan::DeviceFacts>& devices, size_t turn);

  // Its index in the list. Nothing where none is left; of software only where `software` is set.
  std::optional<size_t> next(bool software);
  // It is not given out again. `why`: half a sentence.
  void takeOut(size_t device, std::string why);

  // Those that next() would give out by turns.
  std::vector<size_t> best(bool software) const;
  // All devices in words: what is used, what is not and why.
  std::string describe() const;

 private:
  struct Entry {
    std::string name;
    int rank = 0;
    std::string out;  // why it is not used; empty: it may be
  };
  std::vector<Entry> entries_;
  size_t turn_;
};

}  // namespace framewright
