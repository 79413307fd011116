#include "sandbox/limits.h"

#include <algorithm>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace framewright::sandbox {
namespace {

// Keeps a lower existing limit. `grace`: how far the hard limit is above the soft one.
void lower(int resource, uint64_t value, uint64_t grace = 0) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return;
  limit.rlim_max = std::min<rlim_t>(limit.rlim_max, value + grace);
  limit.rlim_cur = std::min<rlim_t>(std::min<rlim_t>(limit.rlim_cur, value), limit.rlim_max);
  setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

void closeOnExec(unsigned first, unsigned last) {
  if (first > last) return;
#ifdef SYS_close_range
  constexpr unsigned kCloseOnExec = 1u << 2;
  if (syscall(SYS_close_range, first, last, kCloseOnExec) == 0) return;
#endif
  const long end = std::min<long>(last, sysconf(_SC_OPEN_MAX));
  for (long descriptor = first; descriptor <= end; ++descriptor) {
    fcntl(static_cast<int>(descriptor), F_SETFD, FD_CLOEXEC);
  }
}

}  // namespace

void setLimits(const Limits& limits) {
  lower(RLIMIT_CORE, 0);
  if (limits.memoryBytes > 0) lower(RLIMIT_DATA, limits.memoryBytes);
  // The soft limit sends SIGXCPU, which reveals the reason; the hard limit sends SIGKILL.
  constexpr uint64_t kSecondsToDie = 5;
  if (limits.cpuSeconds > 0) lower(RLIMIT_CPU, limits.cpuSeconds, kSecondsToDie);
  if (limits.fileBytes > 0) lower(RLIMIT_FSIZE, limits.fileBytes);
  if (limits.descriptors > 0) lower(RLIMIT_NOFILE, limits.descriptors);
}

void volunteerForOutOfMemory() {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  constexpr char kScore[] = "500";
  // The kernel refuses to lower a higher score, which is just as good.
  [[maybe_unused]] const ssize_t written = write(file, kScore, sizeof kScore - 1);
  close(file);
}

void dropDescriptors(int inherited) {
  constexpr unsigned kFirst = 3;
  if (inherited < static_cast<int>(kFirst)) {
    closeOnExec(kFirst, ~0u);
    return;
  }
  const auto middle = static_cast<unsigned>(inherited);
  if (middle > kFirst) closeOnExec(kFirst, middle - 1);
  closeOnExec(middle + 1, ~0u);
}

}  // namespace framewright::sandbox
