#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "libav/av_handle.h"
#include "libav/encode/video/video_encoder.h"

namespace framewright {

class LibavVideoEncoder;

enum class VideoCodec { kH264, kHevc, kAv1 };

// Why an encoder cannot be had.
enum class RefusalReason {
  kNotBuilt,   // libav was built without it
  kNoDevice,   // no hardware or no driver for it
  kNoSession,  // others use all that the device has; it may be free in a moment
  kRefused     // the library or driver does not want these settings
};

// What is special about one encoder of libav. All functions may be called from any thread.
struct EncoderFamily {
  const char* name;
  VideoCodec codec;
  bool isHardware = false;
  // libav's name of it, where that is another.
  const char* libavName = nullptr;
  // Of its own words, one that is fast; for trials.
  const char* fastPreset = "";
  // Pictures by which decoding runs ahead of showing at most, where libav does not say so when it opens. Its
  // times of decoding then vary with the speed of threads and are not used.
  int maxReorderFrames = 0;
  // What the encoder takes: AV_PIX_FMT_YUV420P or AV_PIX_FMT_NV12 from memory, or from the memory of
  // `device`.
  AVPixelFormat inputFormat = AV_PIX_FMT_YUV420P;
  AVHWDeviceType device = AV_HWDEVICE_TYPE_NONE;
  bool isNvenc = false;  // knows devices by CUDA's numbers
  // Must have had a picture, and be drained, before it is closed; also when nobody wants to see it.
  bool needsFrameBeforeClose = false;
  // The quality scale of VideoEncoderSettings::crf goes from 0 (best) to this.
  double maxCrf = 51;
  // Ways to configure it, best first; what one generation of hardware does not know another does.
  int variants = 1;
  // Sets what the shared part (size, rate, colours, key frames, headers) does not. Everything that could make
  // the headers of two segments differ is pinned here.
  void (*configure)(const VideoEncoderSettings& settings, int variant, AVCodecContext& context,
                    Options& options);
  // What the words of a library or driver mean. Null: kRefused.
  RefusalReason (*refusal)(std::string_view words) = nullptr;
  // Another createEncoder of segments than LibavVideoEncoder, for these settings; null where there is none.
  std::unique_ptr<LibavVideoEncoder> (*createEncoder)(const VideoEncoderSettings& settings) = nullptr;
};

}  // namespace framewright
