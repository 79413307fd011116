#include <cstdint>

// libhwy measures the resolution of its clock when it is loaded, for benchmarks alone: 1 to 2 ms of every
// engine's start. A program's own function goes before that of a library.
namespace hwy::platform {

uint64_t TimerResolution();
uint64_t TimerResolution() { return 1; }

}  // namespace hwy::platform
