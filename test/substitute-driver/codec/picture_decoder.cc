#include "codec/picture_decoder.h"

#include <cstring>

namespace substitute {

PictureDecoder::PictureDecoder(AVCodecID codec)
    : context_(avcodec_alloc_context3(avcodec_find_decoder(codec))),
      allocated_(av_frame_alloc()),
      shown_(av_frame_alloc()),
      packet_(av_packet_alloc()) {
  context_->thread_count = 1;
  context_->opaque = this;
  context_->get_buffer2 = allocate;
  context_->err_recognition = AV_EF_EXPLODE;
  if (avcodec_open2(context_, context_->codec, nullptr) < 0) avcodec_free_context(&context_);
}

PictureDecoder::~PictureDecoder() {
  avcodec_free_context(&context_);
  av_frame_free(&allocated_);
  av_frame_free(&shown_);
  av_packet_free(&packet_);
}

int PictureDecoder::allocate(AVCodecContext* context, AVFrame* frame, int flags) {
  const int status = avcodec_default_get_buffer2(context, frame, flags);
  auto& self = *static_cast<PictureDecoder*>(context->opaque);
  av_frame_unref(self.allocated_);
  return status < 0 ? status : av_frame_ref(self.allocated_, frame);
}

const AVFrame* PictureDecoder::decode(const std::vector<uint8_t>& picture) {
  if (context_ == nullptr || av_new_packet(packet_, static_cast<int>(picture.size())) < 0) return nullptr;
  std::memcpy(packet_->data, picture.data(), picture.size());
  av_frame_unref(allocated_);
  int status = avcodec_send_packet(context_, packet_);
  av_packet_unref(packet_);
  // Frames in the order of display, which do not matter here.
  while (status >= 0) status = avcodec_receive_frame(context_, shown_);
  const bool isDecoded = status == AVERROR(EAGAIN) && allocated_->buf[0] != nullptr;
  return isDecoded ? allocated_ : nullptr;
}

namespace {

template <class Sample, int kShift>
void copyRows(const AVFrame& frame, int width, int height, uint8_t* luma, size_t lumaPitch, uint8_t* chroma,
              size_t chromaPitch) {
  const auto row = [&](int plane, int y) {
    return reinterpret_cast<const Sample*>(frame.data[plane] + y * frame.linesize[plane]);
  };
  for (int y = 0; y < height; ++y) {
    auto* const to = reinterpret_cast<Sample*>(luma + static_cast<size_t>(y) * lumaPitch);
    for (int x = 0; x < width; ++x) to[x] = static_cast<Sample>(row(0, y)[x] << kShift);
  }
  for (int y = 0; y < (height + 1) / 2; ++y) {
    auto* const to = reinterpret_cast<Sample*>(chroma + static_cast<size_t>(y) * chromaPitch);
    for (int x = 0; x < (width + 1) / 2; ++x) {
      to[2 * x] = static_cast<Sample>(row(1, y)[x] << kShift);
      to[2 * x + 1] = static_cast<Sample>(row(2, y)[x] << kShift);
    }
  }
}

}  // namespace

void toSurface(const AVFrame& frame, int width, int height, uint8_t* luma, size_t lumaPitch, uint8_t* chroma,
               size_t chromaPitch) {
  const bool isDeep = frame.format == AV_PIX_FMT_YUV420P10LE;
  isDeep ? copyRows<uint16_t, 6>(frame, width, height, luma, lumaPitch, chroma, chromaPitch)
         : copyRows<uint8_t, 0>(frame, width, height, luma, lumaPitch, chroma, chromaPitch);
}

}  // namespace substitute
