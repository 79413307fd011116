#include <cstdint>

// Overrides libhwy's function of this name: the library calls it when it is loaded, only for benchmarks,
// which costs every start of the engine 1 to 2 ms.
namespace hwy::platform {

uint64_t TimerResolution();
uint64_t TimerResolution() { return 1; }

}  // namespace hwy::platform
