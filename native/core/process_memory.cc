#include "core/process_memory.h"

#include <cstdlib>  // identifies the C library

#include <sys/prctl.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace framewright {

void configureMalloc() {
#ifdef __GLIBC__
  constexpr int kArenas = 2;
  constexpr int kMapFromBytes = 256 * 1024;
  mallopt(M_ARENA_MAX, kArenas);
  mallopt(M_MMAP_THRESHOLD, kMapFromBytes);
#endif
}

void disableHugePages() { prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }

}  // namespace framewright
