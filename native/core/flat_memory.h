#pragma once

namespace framewright {

// Call before threads are started. A render starts threads for every segment and recycles its big buffers
// itself. With an arena per thread and a growing mmap threshold glibc would keep a little more of what they
// freed with every scene.
void keepMemoryFlat();

// x264 asks for huge pages, where 2 MiB are held for each part of a picture that reaches into them: 15 MiB of
// an engine at 1080p. Renders were no faster with them.
void withoutHugePages();

}  // namespace framewright
