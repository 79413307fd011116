#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/cancel_token.h"
#include "libav/outputs/output_frame.h"
#include "render/encode/segment_encoding.h"
#include "render/render.h"
#include "timeline/parse_output_file.h"
#include "timeline/timeline.h"

namespace framewright {

// Encodes one segment from frames that other outputs show as well. A failure ends only this segment. Owned by
// the composing thread; `timeline` and `cancel` must outlive it.
class SegmentStage {
 public:
  SegmentStage(const Timeline& timeline, const OutputSegment& segment, const CancelToken& cancel);

  FrameRange range() const { return {segment_.first, segment_.end}; }
  // Whether it has 10 bits, and the colors of its frames.
  bool isDeep() const { return segment_.encode.bitDepth == 10; }
  const CanvasColor& color() const { return segment_.encode.color; }
  // Whether packets of source videos can be copied, which is better and cheaper than encoding shared frames:
  // the segment then fails with UNEXPECTED.
  bool canCopyPackets() const;
  // What the encoder needs; `device` composes.
  SlotRequest request(const std::optional<DeviceIdentity>& device);
  // Opens the encoder in a slot of request().
  void open(const EncoderSlot& slot);
  // Adds the next frame of the range, which `composer` has just returned.
  void push(const ImagePtr& image, const SegmentComposer& composer);
  // After the last frame: completes the file.
  void finish(const SegmentComposer& composer, const EncoderSlot& slot);
  void fail(const Error& error) { result_ = error; }
  // The error of a segment that was not finished.
  const Result<SegmentResult>& result() const { return result_; }

 private:
  Result<ImagePtr> frameOf(const ImagePtr& image);

  const Timeline& timeline_;
  const OutputSegment& segment_;
  const CancelToken& cancel_;
  VideoEncoderSettings settings_;
  OutputFrameConverter converter_;
  ImagePtr shown_, frame_;  // the last image and the frame of the segment's size that was made of it
  std::unique_ptr<SegmentEncoding> encoding_;  // null: not open, or the segment has ended
  Result<SegmentResult> result_{cancelledError()};
};

}  // namespace framewright
