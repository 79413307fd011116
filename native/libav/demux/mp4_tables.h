#pragma once

#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// Of a whole file: libav keeps an entry of its index for each.
inline constexpr int64_t kMaxMp4Samples = 12'000'000;
inline constexpr int64_t kMaxMp4Fragments = 250'000;

// Counts what the tables of an MP4 or QuickTime file would make libav allocate, before libav reads them: a
// few bytes can declare millions of samples, repeat them by edits, or order them so that each insertion moves
// all others. Fails with MEDIA_UNSUPPORTED. Leaves `io` at the file's start; libav judges whatever is not a
// box.
Status checkMp4Tables(AVIOContext* io);

}  // namespace framewright
