#pragma once

#include <cstdint>

namespace framewright {

// Counters at one time; their use is the difference of two readings.
struct ProcessCounters {
  double seconds = 0;      // monotonic clock
  double ownSeconds = 0;   // CPU time of all threads of this process
  double idleSeconds = 0;  // summed over the cores in this process's affinity mask
  int64_t residentBytes = 0;
};

// Takes about 0.1 ms. Unavailable counters are 0. Any thread.
ProcessCounters readProcessCounters();

}  // namespace framewright
