#include "core/this_thread.h"

#include <pthread.h>

namespace framewright {

void nameThisThread(const char* name) { pthread_setname_np(pthread_self(), name); }

}  // namespace framewright
