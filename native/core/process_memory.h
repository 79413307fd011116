#pragma once

namespace framewright {

// Limits glibc's arenas and fixes its mmap threshold; call before starting threads. Every segment starts
// threads and the engine recycles large buffers itself, so the defaults would retain more freed memory with
// every scene.
void configureMalloc();

// Disables transparent huge pages: x264 requests them and then occupies 2 MiB per partly used page, 15 MiB at
// 1080p, without rendering faster.
void disableHugePages();

}  // namespace framewright
