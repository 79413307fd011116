#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "libav/encode/video/open_encoder.h"
#include "libav/encode/video/video_encoder.h"
#include "libav/light/light_meter.h"
#include "libav/mux/packet_writer.h"

namespace framewright {

// Encodes every frame with an encoder of any family.
class LibavVideoEncoder : public VideoEncoder {
 public:
  // `settings.encoder` is the name of a family.
  virtual Status open(const VideoEncoderSettings& settings, const std::string& path);
  Status encode(VideoFrame input) override;
  int64_t encodedFrameCount() const override { return nextPts_; }
  Result<int64_t> finish() override;

 protected:
  // A null frame drains the encoder.
  virtual Status send(const AVFrame* frame);
  // The encoder's next frame. Fails like FrameInput::frame().
  Result<FramePtr> nextFrame(const ImagePtr& image);

  EncoderContextPtr context_;
  bool isHardware_ = false;
  FrameInput input_;
  PacketWriter writer_;
  int64_t nextPts_ = 0;

 private:
  std::string path_;
  std::unique_ptr<LightMeter> light_;  // of PQ
  ImagePtr measured_;                  // the last image that it has measured
};

}  // namespace framewright
