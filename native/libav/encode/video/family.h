#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "libav/av_handle.h"
#include "libav/encode/video/video_encoder.h"

namespace framewright {

class LibavVideoEncoder;

enum class VideoCodec { kH264, kHevc, kAv1, kVp9 };

// Why an encoder is unavailable.
enum class RefusalReason {
  kNotBuilt,   // libav was built without it
  kNoDevice,   // no hardware or no driver for it
  kNoSession,  // all sessions of the device are in use for now
  kRefused     // the library or driver rejects these settings
};

// Properties of one libav encoder. All functions may be called from any thread.
struct EncoderFamily {
  const char* name;
  VideoCodec codec;
  bool isHardware = false;
  // libav's name; null: `name`.
  const char* libavName = nullptr;
  // Name of a fast preset, for probes.
  const char* fastPreset = "";
  // Maximum reorder depth in frames, for encoders that do not report it when they are opened. Their dts
  // depend on thread timing and are replaced.
  int maxReorderFrames = 0;
  // Input format: AV_PIX_FMT_YUV420P or AV_PIX_FMT_NV12, in host memory or in the memory of `device`.
  AVPixelFormat inputFormat = AV_PIX_FMT_YUV420P;
  AVHWDeviceType device = AV_HWDEVICE_TYPE_NONE;
  bool isNvenc = false;  // devices are CUDA ordinals
  // Whether the encoder must get a frame and be drained before it is closed.
  bool needsFrameBeforeClose = false;
  // Worst value of VideoEncoderSettings::crf; 0 is the best.
  double maxCrf = 51;
  // Number of configurations to try, best first: generations of hardware differ.
  int variants = 1;
  // Sets what the shared part (size, rate, colours, key frames, headers) does not, including everything that
  // could make the headers of two segments differ.
  void (*configure)(const VideoEncoderSettings& settings, int variant, AVCodecContext& context,
                    Options& options);
  // Parts of log messages that mean kNoSession or, checked second, kNoDevice; all others mean kRefused.
  std::span<const std::string_view> noSessionMessages, noDeviceMessages;
  // Parts of those messages that also mean: there is a device, but it lacks what this variant needs.
  std::span<const std::string_view> lacksVariantMessages = {};
  // Creates a subclass of LibavVideoEncoder for these settings. Null, or returns null: no subclass.
  std::unique_ptr<LibavVideoEncoder> (*createEncoder)(const VideoEncoderSettings& settings) = nullptr;
};

}  // namespace framewright
