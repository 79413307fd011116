#include "libav/hardware/decode/frame_keeper.h"

#include <algorithm>

#include "devices/probe_cache.h"
#include "libav/av_version.h"

namespace framewright {
namespace {

// The first frames of each video are compared with their downloads, because surfaces of another size or
// codec than the probe's may have another layout.
constexpr int kCheckedFrames = 2;

// Failures that say nothing about the next frame or video.
bool isTemporary(const Error& error) {
  return error.code == ErrorCode::ENCODER_BUSY || error.code == ErrorCode::OUT_OF_MEMORY;
}

}  // namespace

void FrameKeeper::setOutput(const DecoderOutput& output) {
  frames_.reset();
  name_.clear();
  reason_.clear();
  hasStayed_ = false;
  copies_ = std::make_shared<FrameCopies>();
  if (output.target == nullptr) return;
  key_ = output.key;
  auto opened = device_->openDecodeInterop(output.device, output.target, copies_);
  if (!opened.ok()) {
    reason_ = reasonOf(opened.error());
    return;
  }
  frames_ = opened.take();
  name_ = frames_->name();
  checksLeft_ = kCheckedFrames;
}

void FrameKeeper::useHostMemory(const std::string& reason) {
  frames_.reset();
  name_.clear();
  reason_ = reason;
}

bool FrameKeeper::keep(AVFrame& frame, const AVFrame& surface, AVPixelFormat software) {
  if (frames_ == nullptr || isInterlaced(surface) || surfaceBits(software) == 0) return false;
  if (surface.crop_left != 0 || surface.crop_top != 0) {
    useHostMemory("the video is cropped on the left or at the top");
    return false;
  }
  const FrameShape shape{surfaceBits(software), surface.width - static_cast<int>(surface.crop_right),
                         surface.height - static_cast<int>(surface.crop_bottom)};
  auto image = keepChecked(surface, shape);
  if (!image.ok()) {
    const Error& error = image.error();
    reason_ = reasonOf(error);
    if (error.code != ErrorCode::ENCODER_BUSY) frames_.reset();
    if (!isTemporary(error)) ProbeCache::ofProcess().store(key_, "it failed: " + reason_);
    return false;
  }
  BufferPtr reference(makeImageReference(image.take()));
  if (reference == nullptr || av_frame_copy_props(&frame, &surface) < 0) return false;
  frame.buf[0] = reference.release();
  frame.extended_data = frame.data;
  frame.format = software;
  frame.width = shape.width;
  frame.height = shape.height;
  frame.linesize[0] = shape.width * shape.sampleBytes();
  frame.crop_right = frame.crop_bottom = 0;
  hasStayed_ = true;
  return true;
}

Result<ImagePtr> FrameKeeper::keepChecked(const AVFrame& surface, const FrameShape& shape) {
  FW_ASSIGN_OR_RETURN(ImagePtr image, frames_->keep(surface, shape));
  if (checksLeft_ == 0) return image;
  FW_RETURN_IF_ERROR(compare(*image, surface));
  --checksLeft_;
  return image;
}

Status FrameKeeper::compare(const Image& image, const AVFrame& surface) const {
  FW_ASSIGN_OR_RETURN(const FramePtr downloaded, allocateFrame());
  if (device_->download(*downloaded, surface) < 0)
    return Error{ErrorCode::GPU_FAILED, "a frame cannot be downloaded for comparison", ""};
  FW_ASSIGN_OR_RETURN(const std::shared_ptr<Image> seen,
                      Image::create(image.format(), image.width(), image.height()));
  FW_RETURN_IF_ERROR(image.deviceMemory()->read(*seen));
  const int sampleBytes = image.format() == PixelFormat::kP010 ? 2 : 1;
  for (int p = 0; p < 2; ++p) {
    const Plane& plane = seen->plane(p);
    for (int y = 0; y < plane.height; ++y) {
      const uint8_t* const row = plane.data + y * plane.stride;
      if (!std::equal(row, row + plane.width * (p + 1) * sampleBytes,
                      downloaded->data[p] + y * downloaded->linesize[p]))
        return Error{ErrorCode::GPU_FAILED, "the compositor's device reads other samples", ""};
    }
  }
  return {};
}

FrameTransfers FrameKeeper::transfers() const { return {hasStayed_ ? name_ : "", reason_, copies_}; }

}  // namespace framewright
