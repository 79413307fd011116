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

// Joins packet files into one MP4 with faststart, constant frame rate and BT.709 tags; audio is cut to the
// video's duration. finish() renames the temporary file to the target; without it the destructor removes the
// file. Used by one thread at a time.
class MovieMuxer {
 public:
  // Reads the codec headers of all segments, in the order of append(). `audioPath` empty: silent. Fails with
  // STITCH_FAILED or IO_FAILED.
  static Result<std::unique_ptr<MovieMuxer>> open(const std::string& outputPath,
                                                  const std::vector<std::string>& segmentPaths,
                                                  const std::string& audioPath);
  virtual ~MovieMuxer() = default;

  // Appends the next segment and its audio. Fails with STITCH_FAILED when its codec headers differ from the
  // first segment's.
  virtual Status append(const std::string& segmentPath, const CancelToken& cancel) = 0;
  virtual Result<MuxResult> finish() = 0;
};

}  // namespace framewright
