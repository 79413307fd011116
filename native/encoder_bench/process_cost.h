#pragma once

#include <cstdint>

namespace framewright {

// Seconds of a clock that only goes forward.
double wallSeconds();
// CPU time of this process and of the calling thread, user and system.
double processSeconds();
double threadSeconds();
// The most memory that this process had resident at once. Not getrusage's: that one begins with what the
// starting process had.
int64_t peakMemoryBytes();

}  // namespace framewright
