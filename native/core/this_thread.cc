#include "core/this_thread.h"

#include <pthread.h>
#include <sys/resource.h>

namespace framewright {

void nameThisThread(const char* name) { pthread_setname_np(pthread_self(), name); }

// On Linux each thread has a nice value of its own, and 0 is the calling one. Where it cannot be set, nothing
// is lost but time.
void letOthersFirst() {
  constexpr int kNicer = 10;
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + kNicer);
}

}  // namespace framewright
