#pragma once

#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// Limits per file: libav allocates an index entry for each.
inline constexpr int64_t kMaxMp4Samples = 12'000'000;
inline constexpr int64_t kMaxMp4Fragments = 250'000;

// Estimates what libav would allocate for the tables of an MP4 or QuickTime file, before libav reads them: a
// few bytes can declare millions of samples, repeat them by edit lists, or order them so that each insertion
// moves all others. Fails with MEDIA_UNSUPPORTED. Rewinds `io`; malformed boxes are left to libav.
Status checkMp4Tables(AVIOContext* io);

}  // namespace framewright
