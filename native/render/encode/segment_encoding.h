#pragma once

#include <memory>
#include <string>

#include "core/cancel_token.h"
#include "render/encode/encode_stage.h"
#include "render/encode/encoder_slots.h"
#include "render/render.h"
#include "render/segment_composer.h"

namespace framewright {

// Settings of the encoder of a segment, which are the same on every host and for every way to compose it. The
// frames have the size of the timeline.
VideoEncoderSettings segmentEncoderSettings(const Timeline& timeline, const EncodeSettings& encode,
                                            FrameRange range);

// The slot that an encoder with these settings needs.
SlotRequest encoderSlotRequest(const VideoEncoderSettings& settings);

// Encodes the frames of a segment in order on a thread of its own. One composing thread.
class SegmentEncoding {
 public:
  // Fails like VideoEncoder::open(). Without finish() the file is removed.
  static Result<std::unique_ptr<SegmentEncoding>> open(const VideoEncoderSettings& settings,
                                                       const std::string& path, const CancelToken& cancel);

  // Adds the next frame, which `composer` has just returned; an image that repeats the one before becomes a
  // count. Blocks while the encoder is behind. False after a failure, which finish() returns.
  bool add(const ImagePtr& image, const SegmentComposer& composer);
  // Any thread.
  int64_t encodedFrames() const { return stage_.encodedFrames(); }
  // Completes the file. Sets the members of `result` that encoding determines.
  Status finish(SegmentResult& result);

 private:
  SegmentEncoding(const VideoEncoderSettings& settings, std::unique_ptr<VideoEncoder> encoder,
                  const CancelToken& cancel)
      : showsFootage_(settings.showsFootage), stage_(std::move(encoder), cancel) {}

  const bool showsFootage_;
  EncodeStage stage_;
  VideoFrame pending_;
  int64_t frames_ = 0;
  bool isEncoding_ = true;
};

}  // namespace framewright
