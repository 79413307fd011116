#pragma once

#include <cstdint>

namespace framewright {

// The counters of idle time go by hundredths of a second, and the first pictures only fill an encoder.
inline constexpr double kTurnWindowSeconds = 1;

// What a process may take for video encoders that run side by side.
struct TurnLimits {
  int most = 1;
  // That the process may use. 0: it is not looked at whether they have work.
  double cores = 0;
  int64_t memoryBytes = 0;  // of the whole process; 0: no matter
};

// What went on while encoders ran, in cores.
struct CoreUse {
  double seconds = 0;  // looked at
  double own = 0;      // had work of this process
  double idle = 0;     // had none of anybody's
};

struct MemoryUse {
  int64_t residentBytes = 0;  // of the whole process
  int64_t neededBytes = 0;    // about what one more encoder holds
};

// How many encoders may run at once, where `inReach` could up to now and did: one more when that left a good
// part of the cores idle for the whole window, one less when others need them.
int turnsInReach(const TurnLimits& limits, int inReach, const CoreUse& use);

// Whether there is memory for one more beside `held` encoders.
bool hasRoom(const TurnLimits& limits, int held, const MemoryUse& memory);

}  // namespace framewright
