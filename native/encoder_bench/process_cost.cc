#include "encoder_bench/process_cost.h"

#include <fstream>
#include <string>

#include <time.h>

namespace framewright {
namespace {

double secondsOf(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

double wallSeconds() { return secondsOf(CLOCK_MONOTONIC); }
double processSeconds() { return secondsOf(CLOCK_PROCESS_CPUTIME_ID); }
double threadSeconds() { return secondsOf(CLOCK_THREAD_CPUTIME_ID); }

int64_t peakMemoryBytes() {
  constexpr int64_t kKibibyte = 1024;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    int64_t kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes * kKibibyte;
  }
  return 0;
}

}  // namespace framewright
