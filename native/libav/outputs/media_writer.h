#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/output_file.h"
#include "libav/av_handle.h"
#include "libav/outputs/audio_track.h"
#include "libav/outputs/codec_choice.h"
#include "libav/outputs/output_frame.h"
#include "libav/outputs/write_watch.h"

namespace framewright {

// Encodes and muxes one file with libav, or the files of a sequence, at a path that the caller renames or removes.
// Used by one thread.
class MediaWriter {
 public:
  // `quality`: see chooseCodec(). Fails with ENCODER_UNAVAILABLE or
  // IO_FAILED.
  static Result<std::unique_ptr<MediaWriter>> open(const OutputFile& file, const std::string& path,
                                                   const WriteWatch& watch, double quality = 1);

  // Shows the image for `count` frames.
  Status add(const ImagePtr& image, int64_t count);
  // Drains the encoders and completes the file. `path` and `bytes` of the result are unset.
  Result<OutputFileResult> finish();

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
  std::unique_ptr<OutputFrameConverter> converter_;
  std::unique_ptr<AudioTrack> audio_;
  PacketPtr packet_;
  ImagePtr shown_;  // what `frame_` was converted from
  FramePtr frame_;
  int64_t frames_ = 0, lastFrames_ = 0, images_ = 0;
};

}  // namespace framewright
