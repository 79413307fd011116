#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "core/result.h"

namespace framewright {

struct MuxResult {
  int64_t frames = 0;
  int64_t bytes = 0;
  double durationSeconds = 0;
};

// Joins packet files into one MP4 with its index in front: constant frame rate, BT.709 tags, sound cut to
// the picture's length. Written beside the target and renamed by finish(); without it nothing stays behind.
// One thread at a time.
class MovieMuxer {
 public:
  // Of segments in the order in which they are appended: what is in their headers lies beside the pictures.
  // `audioPath` empty: silent.
  // Fails with STITCH_FAILED or IO_FAILED.
  static Result<std::unique_ptr<MovieMuxer>> open(const std::string& outputPath,
                                                  const std::vector<std::string>& segmentPaths,
                                                  const std::string& audioPath);
  virtual ~MovieMuxer() = default;

  // Appends the next segment and the sound that goes with it. Fails with STITCH_FAILED when its encoder's
  // headers differ from the first one's.
  virtual Status append(const std::string& segmentPath, const CancelToken& cancel) = 0;
  virtual Result<MuxResult> finish() = 0;
};

}  // namespace framewright
