#pragma once

#include <cstdint>

namespace framewright {

// Seconds of a monotonic clock.
double wallSeconds();
// CPU seconds, user and system, of this process and of the calling thread.
double processSeconds();
double threadSeconds();
// Peak resident memory of this process in bytes. Not from getrusage, whose value starts with that of the
// parent process.
int64_t peakMemoryBytes();

}  // namespace framewright
