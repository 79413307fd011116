#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "core/output_file.h"
#include "core/result.h"

namespace framewright {

struct MuxResult {
  int64_t frames = 0;
  int64_t bytes = 0;
  double durationSeconds = 0;
};

// What becomes one file.
struct StitchRequest {
  std::vector<std::string> segmentPaths;  // in playback order
  std::string audioPath;                  // AAC packets; empty: silent, unless `file` has audio
  std::string outputPath;                 // written beside it first, then renamed
  // Container, fragments and audio, which is encoded from its mix; unset: MP4 with faststart.
  std::optional<OutputFile> file = std::nullopt;
};

// Joins packet files into one file with constant frame rate and BT.709 tags; audio is cut to the video's
// duration. finish() renames the temporary file to the target; without it the destructor removes the file.
// Used by one thread at a time.
class MovieMuxer {
 public:
  // Reads the codec headers of all segments, in the order of append(). `cancel` must outlive the muxer. Fails
  // with STITCH_FAILED or IO_FAILED, and with errors of the audio encoder.
  static Result<std::unique_ptr<MovieMuxer>> open(const StitchRequest& request, const CancelToken& cancel);
  virtual ~MovieMuxer() = default;

  // Appends the next segment and its audio. Fails with STITCH_FAILED when its codec headers differ from the
  // first segment's.
  virtual Status append(const std::string& segmentPath) = 0;
  virtual Result<MuxResult> finish() = 0;
};

}  // namespace framewright
