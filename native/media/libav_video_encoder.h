#pragma once

#include <string>

#include "core/result.h"
#include "media/av_handle.h"
#include "media/packet_writer.h"
#include "media/video_encoder.h"

namespace framewright {

// Any encoder of libav: every frame goes through it.
class LibavVideoEncoder : public VideoEncoder {
 public:
  virtual Status open(const VideoEncoderSettings& settings, const std::string& path);
  Status encode(ShownPicture picture) override;
  int64_t encodedPictures() const override { return nextPts_; }
  Result<int64_t> finish() override;

 protected:
  // For libav, without a copy; the image is let go of together with the frame.
  static Result<FramePtr> wrapImage(ImagePtr image, int64_t pts);
  // Null: there are no more frames.
  virtual Status send(const AVFrame* frame);

  CodecContextPtr context_;
  PacketWriter writer_;
  int64_t nextPts_ = 0;
};

}  // namespace framewright
