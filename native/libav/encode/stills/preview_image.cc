#include "libav/encode/stills/preview_image.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "libav/av_error.h"
#include "libav/av_handle.h"
#include "libav/decode/color_conversion.h"

namespace framewright {
namespace {

// The encoder's scale is 1 (best) to 31; 3 gives files as large as libjpeg's quality 90.
constexpr int kQuality = 3;

Result<CodecContextPtr> openEncoder(int width, int height) {
  const AVCodec* codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG);
  CodecContextPtr encoder(codec == nullptr ? nullptr : avcodec_alloc_context3(codec));
  if (encoder == nullptr) return avError(ErrorCode::UNEXPECTED, "JPEG encoder", AVERROR_ENCODER_NOT_FOUND);
  encoder->width = width;
  encoder->height = height;
  encoder->pix_fmt = AV_PIX_FMT_YUVJ420P;
  encoder->color_range = AVCOL_RANGE_JPEG;
  encoder->time_base = {1, 1};
  encoder->thread_count = 1;
  encoder->flags |= AV_CODEC_FLAG_QSCALE;
  encoder->global_quality = kQuality * FF_QP2LAMBDA;
  const int status = avcodec_open2(encoder.get(), codec, nullptr);
  if (status < 0) return avError(ErrorCode::UNEXPECTED, "JPEG encoder", status);
  return encoder;
}

// Converts to the colours of JPEG: BT.601, full range, 4:2:0.
Result<FramePtr> toJpegColors(const Image& image) {
  FW_ASSIGN_OR_RETURN(FramePtr frame, allocateFrame());
  frame->format = AV_PIX_FMT_YUVJ420P;
  frame->width = image.width();
  frame->height = image.height();
  frame->quality = kQuality * FF_QP2LAMBDA;
  const int status = av_frame_get_buffer(frame.get(), 0);
  if (status < 0) return avError(ErrorCode::OUT_OF_MEMORY, "frame", status);
  ScalerPtr scaler(sws_getContext(image.width(), image.height(), AV_PIX_FMT_RGBA, image.width(),
                                  image.height(), AV_PIX_FMT_YUVJ420P, SWS_BILINEAR | SWS_ACCURATE_RND,
                                  nullptr, nullptr, nullptr));
  if (scaler == nullptr) return outOfMemory("scaler");
  const uint8_t* from[4] = {image.plane(0).data};
  const int fromStrides[4] = {static_cast<int>(image.plane(0).stride)};
  sws_scale(scaler.get(), from, fromStrides, 0, image.height(), frame->data, frame->linesize);
  return frame;
}

}  // namespace

Result<ImagePtr> toRgba(const Image& image) {
  FW_ASSIGN_OR_RETURN(const auto conversion,
                      ColorConversion::create(image.width(), image.height(), {AV_PIX_FMT_YUV420P},
                                              {AV_PIX_FMT_RGBA, AVCOL_SPC_BT709, true}));
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> rgba,
                      Image::create(PixelFormat::kRgbaStraight, image.width(), image.height()));
  const uint8_t* from[4] = {};
  int fromStrides[4] = {};
  for (int i = 0; i < 3; ++i) {
    from[i] = image.plane(i).data;
    fromStrides[i] = static_cast<int>(image.plane(i).stride);
  }
  uint8_t* to[4] = {rgba->plane(0).data};
  const int toStrides[4] = {static_cast<int>(rgba->plane(0).stride)};
  FW_RETURN_IF_ERROR(conversion->run(from, fromStrides, to, toStrides));
  return ImagePtr(rgba);
}

Status writeJpeg(const Image& image, const std::string& path) {
  FW_ASSIGN_OR_RETURN(const CodecContextPtr encoder, openEncoder(image.width(), image.height()));
  FW_ASSIGN_OR_RETURN(const FramePtr frame, toJpegColors(image));
  FW_ASSIGN_OR_RETURN(PacketPtr packet, allocatePacket());
  int status = avcodec_send_frame(encoder.get(), frame.get());
  if (status >= 0) status = avcodec_send_frame(encoder.get(), nullptr);
  if (status >= 0) status = avcodec_receive_packet(encoder.get(), packet.get());
  if (status < 0) return avError(ErrorCode::UNEXPECTED, "an image cannot be encoded as JPEG", status);
  // "x": fails if the file exists.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wbxe"), std::fclose);
  const auto size = static_cast<size_t>(packet->size);
  if (file == nullptr || std::fwrite(packet->data, 1, size, file.get()) != size ||
      std::fflush(file.get()) != 0)
    return Error{ErrorCode::IO_FAILED, "an image file cannot be written", std::strerror(errno)};
  return {};
}

}  // namespace framewright
