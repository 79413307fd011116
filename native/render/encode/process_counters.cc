#include "render/encode/process_counters.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>

#include <sched.h>
#include <unistd.h>

namespace framewright {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

double ownSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Idle time and I/O wait.
double idleSeconds() {
  const File file(std::fopen("/proc/stat", "re"));
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (file == nullptr || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 0;
  double ticks = 0;
  char line[512];
  while (std::fgets(line, sizeof line, file.get()) != nullptr) {
    unsigned core = 0;
    unsigned long long idle = 0, waiting = 0;
    if (std::sscanf(line, "cpu%u %*u %*u %*u %llu %llu", &core, &idle, &waiting) != 3) continue;
    if (core < CPU_SETSIZE && CPU_ISSET(core, &allowed)) ticks += static_cast<double>(idle + waiting);
  }
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

int64_t residentBytes() {
  const File file(std::fopen("/proc/self/statm", "re"));
  long long pages = 0;
  if (file == nullptr || std::fscanf(file.get(), "%*u %lld", &pages) != 1) return 0;
  return pages * sysconf(_SC_PAGESIZE);
}

}  // namespace

ProcessCounters readProcessCounters() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration<double>(now).count(), ownSeconds(), idleSeconds(), residentBytes()};
}

}  // namespace framewright
