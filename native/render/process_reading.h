#pragma once

#include <cstdint>

namespace framewright {

// Counters of a moment; what happened is the difference of two.
struct ProcessReading {
  double seconds = 0;      // of the wall's clock
  double ownSeconds = 0;   // of processor time, on whatever threads
  double idleSeconds = 0;  // of all cores on which this process may run, whoever left them idle
  int64_t residentBytes = 0;
};

// Takes some 0.1 ms. What the host does not tell is 0.
ProcessReading readProcess();

}  // namespace framewright
