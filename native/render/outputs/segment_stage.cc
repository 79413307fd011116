#include "render/outputs/segment_stage.h"

#include "render/copied_spans.h"

namespace framewright {

SegmentStage::SegmentStage(const Timeline& timeline, const OutputSegment& segment, const CancelToken& cancel)
    : timeline_(timeline),
      segment_(segment),
      cancel_(cancel),
      settings_(segmentEncoderSettings(timeline, segment.encode, range())),
      converter_({segment.width,
                  segment.height,
                  segment.encode.bitDepth == 10 ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P,
                  false,
                  {0, 0, 0, 255},
                  segment.encode.color.transfer}) {
  settings_.width = segment.width;
  settings_.height = segment.height;
}

bool SegmentStage::canCopyPackets() const {
  const bool isScaled = segment_.width != timeline_.width || segment_.height != timeline_.height;
  if (!segment_.encode.copy || isScaled) return false;
  VideoEncoderSettings settings = settings_;
  settings.continuesAfter = 0;
  return !findCopiedSpans(timeline_, range(), settings, segment_.path + ".scratch", cancel_).spans.empty();
}

SlotRequest SegmentStage::request(const std::optional<DeviceIdentity>& device) {
  settings_.device = device.value_or(DeviceIdentity{});
  return encoderSlotRequest(settings_);
}

void SegmentStage::open(const EncoderSlot& slot) {
  settings_.encoderDevice = slot.device();
  auto encoding = SegmentEncoding::open(settings_, segment_.path, cancel_);
  if (encoding.ok()) {
    encoding_ = encoding.take();
    return;
  }
  if (encoding.error().code == ErrorCode::ENCODER_BUSY) slot.noSession();
  fail(encoding.error());
}

void SegmentStage::push(const ImagePtr& image, const SegmentComposer& composer) {
  if (encoding_ == nullptr) return;
  if (image != shown_) {
    auto frame = frameOf(image);
    if (!frame.ok()) {
      fail(frame.error());
      encoding_ = nullptr;
      return;
    }
    frame_ = frame.take();
    shown_ = image;
  }
  if (encoding_->add(frame_, composer)) return;
  SegmentResult unused;
  const Status status = encoding_->finish(unused);
  if (!status.ok()) fail(status.error());
  encoding_ = nullptr;
}

void SegmentStage::finish(const SegmentComposer& composer, const EncoderSlot& slot) {
  shown_ = frame_ = nullptr;
  if (encoding_ == nullptr) return;
  SegmentResult result;
  const Status status = encoding_->finish(result);
  encoding_ = nullptr;
  if (!status.ok()) return fail(status.error());
  result.maxParallelEncoders = slot.maxParallelEncoders();
  composer.report(result);
  result_ = std::move(result);
}

Result<ImagePtr> SegmentStage::frameOf(const ImagePtr& image) {
  if (image->width() == segment_.width && image->height() == segment_.height) return image;
  return converter_.toPlanes(*image);
}

}  // namespace framewright
