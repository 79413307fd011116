#include "core/flat_memory.h"

#include <cstdlib>  // tells which C library this is

#include <sys/prctl.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace framewright {

void keepMemoryFlat() {
#ifdef __GLIBC__
  constexpr int kArenas = 2;
  constexpr int kMapFromBytes = 256 * 1024;
  mallopt(M_ARENA_MAX, kArenas);
  mallopt(M_MMAP_THRESHOLD, kMapFromBytes);
#endif
}

void withoutHugePages() { prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }

}  // namespace framewright
