#pragma once

#include <memory>
#include <string>

#include "core/geometry.h"
#include "core/image.h"
#include "core/result.h"

namespace framewright {

struct VideoEncoderSettings {
  std::string encoder = "libx264";
  std::string preset = "veryfast";
  double crf = 20;
  int width = 0, height = 0;
  Rational fps{30, 1};
  int keyframeInterval = 150;  // frames between IDR frames at most
  int threads = 0;             // 0: as many as the encoder thinks right
};

// Encodes frames into a packet file that can be stitched with every other one made with the same size,
// rate, encoder and preset. One thread at a time. Without finish() the file is removed again.
class VideoEncoder {
 public:
  // Fails with ENCODER_UNAVAILABLE, ENCODE_FAILED or IO_FAILED.
  static Result<std::unique_ptr<VideoEncoder>> open(const VideoEncoderSettings& settings,
                                                    const std::string& path);
  virtual ~VideoEncoder() = default;

  // The next frame in order, kI420 of the settings' size; the encoder may hold it for a while.
  virtual Status encode(ImagePtr frame) = 0;
  // Drains the encoder and closes the file; its size in bytes.
  virtual Result<int64_t> finish() = 0;
};

}  // namespace framewright
