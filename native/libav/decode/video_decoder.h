#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/cancel_token.h"
#include "core/canvas_color.h"
#include "core/deinterlace.h"
#include "core/hardware_decode.h"
#include "core/image.h"
#include "core/result.h"
#include "libav/hardware/decode/frame_decoder.h"

namespace framewright {

// How a video is decoded, and when to use a hardware decoder.
struct DecodeOptions {
  HardwareDecode mode = HardwareDecode::kOff;
  int64_t playedUs = 0;  // approximate duration of the part that will be shown
  Deinterlace deinterlace = Deinterlace::kAuto;
  // Times will descend, and a frame is shown from its end on: frameAt() returns the last frame before the
  // time. Decoded frames are retained, and hardware does not decode.
  bool isReversed = false;
  // For a canvas of 10 bits with these colors: frames may be kI010.
  std::optional<CanvasTransfer> canvas = std::nullopt;
  // The compositor to which a decoder on the same card may leave its frames there: images may have a
  // decodedFrame(). Null: all are in main memory.
  std::shared_ptr<const DecodeTarget> target = nullptr;
};

// What is missing of a damaged or incomplete video whose decoding went on nevertheless.
struct DecodeFaults {
  int64_t lostUs = 0;  // during which the frame before the damage is shown

  bool any() const { return lostUs > 0; }
};

// Which backend decoded a video, on hosts with hardware decoding.
struct DecodeReport {
  std::string backend;  // "nvdec", "vaapi", "software"; empty: hardware was not considered
  std::string reason;   // why other backends were rejected
  // How frames that a device decoded reached the compositor.
  FrameTransfers transfers;
};

// Decodes frames of a video file, rotated as displayed, by media time. Ascending times decode every frame
// once; a jump back seeks to the previous random access point. Not thread-safe.
class VideoDecoder {
 public:
  // `threads` 0: as few as stay ahead of an encoder. `cancel` is checked while decoding and must outlive the
  // decoder or be replaced. Hardware and software decode bit-exactly. Fails with MEDIA_UNREADABLE,
  // MEDIA_UNSUPPORTED or DECODE_FAILED.
  static Result<std::unique_ptr<VideoDecoder>> open(const std::string& path, int threads,
                                                    const CancelToken& cancel,
                                                    const DecodeOptions& options = {});
  virtual ~VideoDecoder() = default;

  // Replaces the token given to open().
  virtual void setCancelToken(const CancelToken& cancel) = 0;
  // Replaces the target given to open(). Null downloads the frames that it has decoded, so that no more of
  // the card is in use than the decoder. Fails with GPU_FAILED or OUT_OF_MEMORY.
  virtual Status setTarget(const std::shared_ptr<const DecodeTarget>& target) = 0;

  // The frame a player shows at media time `timeUs`: the last one that is not later. Before the first frame
  // the first, after the end the last. Consecutive calls for one frame return the same pointer. Fails with
  // DECODE_FAILED, also when the file ends more than a second before its declared end.
  virtual Result<ImagePtr> frameAt(int64_t timeUs) = 0;

  // Between the frame at `timeUs` and the one after it, mixed by time, unless that one comes within `stepUs`
  // or begins at `stopUs` or later: then as frameAt().
  virtual Result<ImagePtr> blendAt(int64_t timeUs, int64_t stepUs, int64_t stopUs) = 0;

  // End of the last frame, in microseconds of media time.
  virtual int64_t endUs() const = 0;

  virtual DecodeReport report() const = 0;

  // Faults since the last call.
  virtual DecodeFaults takeFaults() = 0;
};

// Tolerance for comparing frame times, because files round them (Matroska: to milliseconds).
inline constexpr int64_t kFrameTimeSlackUs = 250;

}  // namespace framewright
