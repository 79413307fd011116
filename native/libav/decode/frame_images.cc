#include "libav/decode/frame_images.h"

#include "devices/probe_cache.h"
#include "libav/decode/deinterlacer.h"
#include "libav/decode/letterbox.h"
#include "libav/demux/stream_metadata.h"

namespace framewright {
namespace {

// After the loss of a frame on the card the decoder cannot be trusted.
Error lost(const Error& error, FrameDecoder& decoder) {
  decoder.fail({"a frame cannot be downloaded (" + reasonOf(error) + ")", true});
  return error;
}

}  // namespace

FrameImages::FrameImages(AVFormatContext& context, AVStream& stream,
                         const std::optional<CanvasTransfer>& canvas)
    : context_(context),
      stream_(stream),
      converter_(FrameOrigin::kVideo, streamOrientation(stream), targetFor(canvas),
                 masteringLightOf(stream)) {}

Result<ImagePtr> FrameImages::convert(const TimedFrame& shown, FrameDecoder& decoder) {
  const double aspect = relativeAspect(*shown.frame);
  if (const ImagePtr image = deviceImageOf(*shown.frame))
    return convertOnDevice(*shown.frame, *image, aspect, decoder);
  if (!shown.field) return convert(*shown.frame, aspect);
  FW_ASSIGN_OR_RETURN(const FramePtr frame, deinterlaceField(*shown.field));
  return convert(*frame, aspect);
}

Result<ImagePtr> FrameImages::convertOnDevice(const AVFrame& frame, const Image& image, double aspect,
                                              FrameDecoder& decoder) {
  if (const auto siting = converter_.passThroughSiting(frame); siting && !isLetterboxed(aspect)) {
    const std::shared_ptr<Image> own = Image::decodedOnDevice(image.format(), image.width(), image.height(),
                                                              image.deviceMemory(), image.decodedFrame());
    own->siting = *siting;
    return ImagePtr(own);
  }
  decoder.useHostMemory("its frames are converted on the CPU");
  const auto downloaded = downloadFrame(frame);
  if (!downloaded.ok()) return lost(downloaded.error(), decoder);
  return convert(*downloaded.value(), aspect);
}

Status FrameImages::downloadInPlace(TimedFrame& frame, FrameDecoder& decoder) const {
  if (frame.frame == nullptr || deviceImageOf(*frame.frame) == nullptr) return {};
  auto downloaded = downloadFrame(*frame.frame);
  if (!downloaded.ok()) return lost(downloaded.error(), decoder);
  frame.frame = SharedFrame(downloaded.take().release(), AvFree());
  return {};
}

Result<ImagePtr> FrameImages::download(const ImagePtr& image, FrameDecoder& decoder) const {
  auto downloaded = downloadImage(image);
  if (!downloaded.ok()) return lost(downloaded.error(), decoder);
  return downloaded;
}

// A frame whose shape differs from that of the stream is shown between bars, as players do.
Result<ImagePtr> FrameImages::convert(const AVFrame& frame, double aspect) {
  FW_ASSIGN_OR_RETURN(ImagePtr image, converter_.convert(frame));
  return letterbox(std::move(image), streamOrientation(stream_).swapped ? 1 / aspect : aspect);
}

// The ratio of the stream's sides to that of the frame's, as displayed.
double FrameImages::relativeAspect(const AVFrame& frame) const {
  const AVCodecParameters& stream = *stream_.codecpar;
  const AVRational expected = av_guess_sample_aspect_ratio(&context_, &stream_, nullptr);
  double aspect = (double{1} * stream.width / stream.height) / (double{1} * frame.width / frame.height);
  if (expected.num <= 0 || expected.den <= 0) return aspect;
  const AVRational actual = av_guess_sample_aspect_ratio(&context_, &stream_, const_cast<AVFrame*>(&frame));
  if (actual.num > 0 && actual.den > 0) aspect *= av_q2d(expected) / av_q2d(actual);
  return aspect;
}

}  // namespace framewright
