#pragma once

#include <cstdint>
#include <memory>
#include <vector>

extern "C" {
#include <libavcodec/avcodec.h>
}

namespace substitute {

// libav's software decoder as the decoder of a card: takes coded pictures one by one in decoding order and
// outputs each at once, whatever the order of display. Used by one thread at a time.
class PictureDecoder {
 public:
  explicit PictureDecoder(AVCodecID codec);
  ~PictureDecoder();
  PictureDecoder(const PictureDecoder&) = delete;
  PictureDecoder& operator=(const PictureDecoder&) = delete;

  // Decodes one picture with the parameter sets before it. Returns the whole coded frame, valid until the
  // next call, or null if the picture is damaged.
  const AVFrame* decode(const std::vector<uint8_t>& picture);

 private:
  static int allocate(AVCodecContext* context, AVFrame* frame, int flags);

  AVCodecContext* context_;
  AVFrame* allocated_;  // what the decoder writes to
  AVFrame* shown_;
  AVPacket* packet_;
};

// Copies a frame of 4:2:0 with 8 or 10 bits to rows of NV12 or P010.
void toSurface(const AVFrame& frame, int width, int height, uint8_t* luma, size_t lumaPitch, uint8_t* chroma,
               size_t chromaPitch);

}  // namespace substitute
