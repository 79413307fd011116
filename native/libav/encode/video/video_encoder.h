#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/color_tags.h"
#include "core/geometry.h"
#include "core/image.h"
#include "core/mastering_display.h"
#include "core/result.h"
#include "devices/device_registry.h"

namespace framewright {

class FrameInterop;

struct VideoEncoderSettings {
  std::string encoder = "libx264";
  std::string preset = "veryfast";
  double crf = 20;
  int width = 0, height = 0;
  Rational fps{30, 1};
  int keyframeInterval = 150;  // maximum, in frames
  int threads = 0;             // 0: the encoder's default
  // Configuration of a hardware encoder, as its probe reported it, so that all segments of a movie have the
  // same headers. Unset: the first that opens.
  std::optional<int> variant;
  // Maximum number of frames between key frames in a still span. 0: still spans are encoded like other
  // frames.
  int stillKeyframeInterval = 300;
  DeviceIdentity device;      // the device that composes, if any: its encoder is tried first
  std::string encoderDevice;  // one of VideoEncoder::devices(), which is tried before all others
  // Access to frames in device memory (interop/choose_interop); null: frames are in host memory.
  std::shared_ptr<FrameInterop> interop;
  // Number of frames after which another file continues with similar frames. 0: none does.
  int64_t continuesAfter = 0;
  // The first frame follows a transition into it and needs no better quality than the transition's frames.
  bool followsTransition = false;
  int bitDepth = 8;  // 8, or 10 with software encoders of HEVC, AV1 and VP9, whose frames are then kI010
  ColorTags colors;  // in the headers; frames are not converted
  // Of PQ: the headers name it, and packets the light of the frames (see light/content_light.h).
  std::optional<MasteringDisplay> mastering;
  // The frames show footage, for which x264's own lookahead loses less data than the engine's.
  bool showsFootage = false;
  // The headers (one reference frame) and the look (no psychovisual optimization) of x264's `veryfast` at a
  // slower preset, so that segments of both can follow each other.
  bool matchesVeryfast = false;
  // Frames carry their type and QP offsets: the encoder needs no lookahead of its own.
  bool hasExternalLookahead = false;
};

struct VideoFrame {
  ImagePtr image;            // of the settings' size; kI420, inputFormat() or kI010
  int64_t frames = 1;        // number of frames that show it
  int64_t changesAhead = 0;  // known image changes in the following frames
};

// Encodes frames into a packet file that can be stitched with others of the same size, rate, encoder and
// preset. Used by one thread at a time. Without finish() the destructor removes the file.
class VideoEncoder {
 public:
  // Fails with ENCODER_UNAVAILABLE, ENCODER_BUSY, INVALID_TIMELINE (crf out of range),
  // ENCODE_FAILED or IO_FAILED.
  static Result<std::unique_ptr<VideoEncoder>> open(const VideoEncoderSettings& settings,
                                                    const std::string& path);
  // Whether the encoder repeats still frames cheaply with these settings.
  static bool supportsStillSpans(const VideoEncoderSettings& settings);
  // The encoder's own input format: kI420, or kNv12, to which encode() converts kI420.
  static PixelFormat inputFormat(const VideoEncoderSettings& settings);
  // Names of the devices that may encode parts of one video, best first: those of one model, because others
  // write other headers. Empty if the CPU encodes.
  static std::vector<std::string> devices(const VideoEncoderSettings& settings);
  virtual ~VideoEncoder() = default;

  // Encodes the next image, which the encoder may retain for a while. Its repetitions are cheap if
  // supportsStillSpans(); otherwise each is encoded.
  virtual Status encode(VideoFrame input) = 0;
  // Frames encoded so far, without cheap repetitions.
  virtual int64_t encodedFrameCount() const = 0;
  // Drains the encoder, completes the file and returns its size in bytes.
  virtual Result<int64_t> finish() = 0;
};

}  // namespace framewright
