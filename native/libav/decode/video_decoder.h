#pragma once

#include <memory>
#include <string>

#include "core/cancel_token.h"
#include "core/hardware_decode.h"
#include "core/image.h"
#include "core/result.h"

namespace framewright {

// What may decode a film beside the processor.
struct DecodeOptions {
  HardwareDecode mode = HardwareDecode::kOff;
  int64_t playedUs = 0;  // about how much of the video will be shown
};

// Which backend decoded a video, on hosts with hardware decoding.
struct DecodeReport {
  std::string backend;  // "nvdec", "vaapi", "software"; empty: hardware was not considered
  std::string reason;   // why other backends were rejected
};

// Decodes frames of a video file, rotated as displayed, by media time. Ascending times decode every frame
// once; a jump back seeks to the previous random access point. Not thread-safe.
class VideoDecoder {
 public:
  // `threads` 0: as few as stay ahead of an encoder. `cancel` is asked while decoding and must outlive the
  // decoder. Whatever decodes, the pictures are the same. Fails with MEDIA_UNREADABLE, MEDIA_UNSUPPORTED or
  // DECODE_FAILED.
  static Result<std::unique_ptr<VideoDecoder>> open(const std::string& path, int threads,
                                                    const CancelToken& cancel,
                                                    const DecodeOptions& wish = {});
  virtual ~VideoDecoder() = default;

  // Another token from now on, when the first does not outlive the decoder.
  virtual void ask(const CancelToken& cancel) = 0;

  // The picture that a player shows at `timeUs` from the media's zero: the last one whose time is not
  // later. Before the first it is the first, past the end the last. The same picture gives the same
  // pointer while it stays in view. Fails with DECODE_FAILED also when the file stops more than a second
  // before the length it declares.
  virtual Result<ImagePtr> frameAt(int64_t timeUs) = 0;

  // Where the video ends (its last picture's time plus its length), microseconds from the media's zero.
  virtual int64_t endUs() const = 0;

  virtual DecodeReport report() const = 0;
};

// Picture times are compared with this much slack, because files round them (Matroska: to milliseconds).
inline constexpr int64_t kFrameTimeSlackUs = 250;

}  // namespace framewright
