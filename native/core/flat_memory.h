#pragma once

namespace framewright {

// Call before threads are started. A render starts threads for every segment and recycles its big buffers
// itself. With an arena per thread and a growing mmap threshold glibc would keep a little more of what they
// freed with every scene.
void keepMemoryFlat();

}  // namespace framewright
