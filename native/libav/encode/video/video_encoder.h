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
  // Frames between key frames at most while the picture is still. 0: stills are encoded like all else.
  int stillKeyframeInterval = 300;
  DeviceIdentity device;  // that draws, if one does: hardware there is tried first
  // How pictures come that stand on a graphics device (interop/choose_handover); null: none do.
  std::shared_ptr<FrameInterop> interop;
  // After this many frames the movie goes on in another file, with pictures like the last ones. 0: it does
  // not.
  int64_t continuesAfter = 0;
  // The first picture comes after those of a transition to it, and need not be finer than they are.
  bool followsTransition = false;
  // Each picture comes with its kind and how fine its blocks are to be: the encoder need not digest ahead.
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
