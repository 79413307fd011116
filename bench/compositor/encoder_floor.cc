#include "encoder_floor.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>
}

namespace framewright::bench {
namespace {

// libx264 through libav with the engine's settings and one thread.
class Encoder {
 public:
  Encoder() {
    const AVCodec* codec = avcodec_find_encoder_by_name("libx264");
    if (codec == nullptr) fail("libx264 is not there");
    context_ = avcodec_alloc_context3(codec);
    context_->width = kWidth;
    context_->height = kHeight;
    context_->pix_fmt = AV_PIX_FMT_YUV420P;
    context_->time_base = {1, 30};
    context_->framerate = {30, 1};
    context_->thread_count = 1;
    av_opt_set(context_->priv_data, "preset", "veryfast", 0);
    av_opt_set(context_->priv_data, "crf", "23", 0);
    if (avcodec_open2(context_, codec, nullptr) < 0) fail("libx264 cannot be opened");
    frame_ = av_frame_alloc();
    packet_ = av_packet_alloc();
  }
  ~Encoder() {
    av_packet_free(&packet_);
    av_frame_free(&frame_);
    avcodec_free_context(&context_);
  }

  // The encoder copies what it retains, so the image can be reused afterwards.
  void encode(const Image& image, int64_t pts) {
    frame_->format = AV_PIX_FMT_YUV420P;
    frame_->width = kWidth;
    frame_->height = kHeight;
    frame_->pts = pts;
    for (int i = 0; i < 3; ++i) {
      frame_->data[i] = image.plane(i).data;
      frame_->linesize[i] = static_cast<int>(image.plane(i).stride);
    }
    if (avcodec_send_frame(context_, frame_) < 0) fail("the encoder refused a frame");
    drain();
  }
  void finish() {
    avcodec_send_frame(context_, nullptr);
    drain();
  }
  int64_t bytes() const { return bytes_; }

 private:
  void drain() {
    while (avcodec_receive_packet(context_, packet_) == 0) {
      bytes_ += packet_->size;
      av_packet_unref(packet_);
    }
  }

  AVCodecContext* context_ = nullptr;
  AVFrame* frame_ = nullptr;
  AVPacket* packet_ = nullptr;
  int64_t bytes_ = 0;
};

}  // namespace

Comparison compareWithEncoder(Compositor& compositor, const std::vector<PreparedImagePtr>& images,
                              Image& frame, int frames) {
  Comparison total;
  Encoder encoder;
  for (int n = 0; n < frames; ++n) {
    const DrawList list = typicalFrame(n);
    const double start = cpuSeconds();
    if (!compositor.compose(list, images, frame).ok()) fail("a frame could not be composed");
    const double composed = cpuSeconds();
    encoder.encode(frame, n);
    total.composeMs += (composed - start) * 1e3;
    total.encodeMs += (cpuSeconds() - composed) * 1e3;
  }
  const double start = cpuSeconds();
  encoder.finish();
  total.encodeMs += (cpuSeconds() - start) * 1e3;
  total.composeMs /= frames;
  total.encodeMs /= frames;
  total.bytes = encoder.bytes();
  return total;
}

}  // namespace framewright::bench
