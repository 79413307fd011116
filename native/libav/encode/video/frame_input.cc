#include "libav/encode/video/frame_input.h"

#include "core/planes.h"
#include "libav/av_error.h"

namespace framewright {
namespace {

void tag(AVFrame& frame, int64_t pts) {
  frame.pts = pts;
  frame.color_range = AVCOL_RANGE_MPEG;
  frame.colorspace = AVCOL_SPC_BT709;
  frame.color_primaries = AVCOL_PRI_BT709;
  frame.color_trc = AVCOL_TRC_BT709;
  frame.chroma_location = AVCHROMA_LOC_LEFT;
}

}  // namespace

Result<FramePtr> FrameInput::wrap(ImagePtr image, int64_t pts) {
  FW_ASSIGN_OR_RETURN(FramePtr frame, allocateFrame());
  frame->format = image->format() == PixelFormat::kNv12   ? AV_PIX_FMT_NV12
                  : image->format() == PixelFormat::kI010 ? AV_PIX_FMT_YUV420P10LE
                                                          : AV_PIX_FMT_YUV420P;
  frame->width = image->width();
  frame->height = image->height();
  tag(*frame, pts);
  for (int i = 0; i < image->planeCount(); ++i) {
    frame->data[i] = image->plane(i).data;
    frame->linesize[i] = static_cast<int>(image->plane(i).stride);
  }
  frame->buf[0] = makeImageReference(std::move(image));
  if (frame->buf[0] == nullptr) return outOfMemory("frame");
  return frame;
}

Result<FramePtr> FrameInput::frame(const ImagePtr& image, int64_t pts) {
  const bool converts = image->format() == PixelFormat::kI420 && format_ == AV_PIX_FMT_NV12;
  if (!converts && pool_ == nullptr && interop_ == nullptr) return wrap(image, pts);
  if (image != lastImage_) {
    FW_ASSIGN_OR_RETURN(FramePtr made, interop_ != nullptr ? interop_->frame(image)
                                       : converts          ? convert(*image)
                                                           : wrap(image, pts));
    if (pool_ != nullptr) {
      FW_ASSIGN_OR_RETURN(made, upload(*made));
    }
    lastFrame_ = std::move(made);
    lastImage_ = image;
  }
  FramePtr frame(av_frame_clone(lastFrame_.get()));
  if (frame == nullptr) return outOfMemory("frame");
  tag(*frame, pts);
  return frame;
}

Result<FramePtr> FrameInput::convert(const Image& image) const {
  FW_ASSIGN_OR_RETURN(FramePtr frame, allocateFrame());
  frame->format = format_;
  frame->width = image.width();
  frame->height = image.height();
  if (av_frame_get_buffer(frame.get(), 0) < 0) return outOfMemory("frame");
  copyPlane(image.plane(0), {frame->data[0], frame->linesize[0]});
  interleave(image.plane(1), image.plane(2), {frame->data[1], frame->linesize[1]});
  return frame;
}

Result<FramePtr> FrameInput::upload(const AVFrame& frame) const {
  FW_ASSIGN_OR_RETURN(FramePtr uploaded, allocateFrame());
  int status = av_hwframe_get_buffer(pool_.get(), uploaded.get(), 0);
  if (status >= 0) status = av_hwframe_transfer_data(uploaded.get(), &frame, 0);
  if (status >= 0) return uploaded;
  return Error{ErrorCode::ENCODE_FAILED,
               "the frame cannot be uploaded to the device (" + avText(status) + ")", ""};
}

}  // namespace framewright
