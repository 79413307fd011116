#pragma once

#include <memory>
#include <string>

#include "core/geometry.h"
#include "core/image.h"
#include "core/result.h"

namespace framewright {

class FrameInterop;

struct VideoEncoderSettings {
  std::string encoder = "libx264";
  std::string preset = "veryfast";
  double crf = 20;
  int width = 0, height = 0;
  Rational fps{30, 1};
  int keyframeInterval = 150;  // frames between IDR frames at most
  int threads = 0;             // 0: as many as the encoder thinks right
  // Maximum number of frames between key frames in a still span. 0: still spans are encoded like other
  // frames.
  int stillKeyframeInterval = 300;
  DeviceIdentity device;  // the device that composes, if any: its encoder is tried first
  // Access to frames in device memory (interop/choose_interop); null: frames are in host memory.
  std::shared_ptr<FrameInterop> interop;
  // Number of frames after which another file continues with similar frames. 0: none does.
  int64_t continuesAfter = 0;
  // The first frame follows a transition into it and needs no better quality than the transition's frames.
  bool followsTransition = false;
  // Frames carry their type and QP offsets: the encoder needs no lookahead of its own.
  bool hasExternalLookahead = false;
};

struct VideoFrame {
  ImagePtr image;            // of the settings' size; kI420, or what inputFormat() says
  int64_t frames = 1;        // how long it stays
  int64_t changesAhead = 0;  // how often the picture changes soon after, as far as is known
};

// Encodes frames into a packet file that can be stitched with every other one made with the same size,
// rate, encoder and preset. One thread at a time. Without finish() the file is removed again.
class VideoEncoder {
 public:
  // Fails with ENCODER_UNAVAILABLE, ENCODER_BUSY, INVALID_TIMELINE (settings outside the encoder's scales),
  // ENCODE_FAILED or IO_FAILED.
  static Result<std::unique_ptr<VideoEncoder>> open(const VideoEncoderSettings& settings,
                                                    const std::string& path);
  // Whether a picture that stays costs little with these settings.
  static bool supportsStillSpans(const VideoEncoderSettings& settings);
  // What the encoder takes as it is: kI420 or kNv12. Of the latter kI420 is made into it.
  static PixelFormat inputFormat(const VideoEncoderSettings& settings);
  // Whether it runs on a card, whose sessions are counted.
  static bool isHardware(const VideoEncoderSettings& settings);
  virtual ~VideoEncoder() = default;

  // The next picture in order. The encoder may hold it for a while. One that stays costs little where the
  // encoder's stream allows it; by others it is encoded again and again.
  virtual Status encode(VideoFrame picture) = 0;
  // Pictures that were really encoded so far.
  virtual int64_t encodedFrameCount() const = 0;
  // Drains the encoder and closes the file; its size in bytes.
  virtual Result<int64_t> finish() = 0;
};

}  // namespace framewright
