#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/output_file.h"
#include "libav/av_handle.h"
#include "libav/light/light_meter.h"
#include "libav/outputs/audio_track.h"
#include "libav/outputs/codec_choice.h"
#include "libav/outputs/file_encoder.h"
#include "libav/outputs/output_frame.h"
#include "libav/outputs/parameter_set_filter.h"

namespace framewright {

// Encodes and muxes with libav.
class MediaWriter final : public FileEncoder {
 public:
  static Result<std::unique_ptr<FileEncoder>> open(const OutputFile& file, const std::string& path,
                                                   const WriteWatch& watch, double quality);

  Status add(const ImagePtr& image, int64_t count) override;
  Result<OutputFileResult> finish() override;

 private:
  MediaWriter(const OutputFile& file, std::string path, const WriteWatch& watch, double quality)
      : file_(file), path_(std::move(path)), watch_(watch), choice_(chooseCodec(file, quality)) {}

  Status openOutput();
  Status openVideo();
  Status encode(const AVFrame* frame);
  Status writePacket();
  // Of a sequence: the packet becomes a file of its own.
  Status writeImage();
  Status closeOutput();
  double secondsAt(int64_t frame) const;

  const OutputFile file_;
  const std::string path_;
  const WriteWatch watch_;
  const CodecChoice choice_;
  OutputContextPtr output_;
  CodecContextPtr encoder_;
  AVStream* stream_ = nullptr;
  std::optional<ParameterSetFilter> filter_;  // of HEVC
  std::unique_ptr<OutputFrameConverter> converter_;
  std::unique_ptr<AudioTrack> audio_;
  PacketPtr packet_;
  std::unique_ptr<LightMeter> light_;  // of PQ files
  ImagePtr shown_;                     // what `frame_` was converted from
  FramePtr frame_;
  int64_t frames_ = 0, lastFrames_ = 0, images_ = 0;
};

}  // namespace framewright
