#pragma once

#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// Of a whole file: libav keeps an entry of its index for each.
inline constexpr int64_t kMaxMp4Samples = 12'000'000;
inline constexpr int64_t kMaxMp4Fragments = 250'000;

// What the tables of an MP4 or QuickTime file make libav keep, counted before it reads them: a few bytes can
// promise millions of samples, repeat them by edits, or download them in an order in which each moves all
// others. Fails with MEDIA_UNSUPPORTED. Leaves `io` at the file's start; what is no box is left to libav.
Status checkMp4Tables(AVIOContext* io);

}  // namespace framewright
