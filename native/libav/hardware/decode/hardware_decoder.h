#pragma once

#include <memory>
#include <optional>
#include <string>

#include "libav/av_handle.h"

namespace framewright {

// Why what a decoder gives is not to be relied on.
struct Doubt {
  std::string why;
  bool isOfDevice = false;  // rather than of the film
};

// Packets in, pictures in main memory out, in libav's manner and with its numbers. Used by one thread.
class PictureDecoder {
 public:
  virtual ~PictureDecoder() = default;
  // Null: there are no more.
  virtual int send(const AVPacket* packet) = 0;
  // `frame` is empty.
  virtual int receive(AVFrame& frame) = 0;
  virtual void flush() = 0;
  // Once there is one, nothing more comes, and another decoder has to go on.
  virtual const std::optional<Doubt>& doubt() const = 0;
};

std::unique_ptr<PictureDecoder> decodeInSoftware(CodecContextPtr context);

}  // namespace framewright
