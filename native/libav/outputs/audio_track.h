#pragma once

#include <memory>
#include <vector>

#include "core/output_file.h"
#include "formats/wav_file.h"
#include "libav/av_handle.h"
#include "libav/outputs/write_watch.h"

namespace framewright {

// The audio stream of an output file, encoded from samples of the mix. Used by one thread.
class AudioTrack {
 public:
  // Adds a stream to `output`, which must outlive the track like the parts of `watch`. Encodes the samples of
  // the canvas frames of `file`. Fails with ENCODER_UNAVAILABLE or the errors of WavReader.
  static Result<std::unique_ptr<AudioTrack>> open(const OutputFile& file, AVFormatContext& output,
                                                  const WriteWatch& watch);

  // Encodes until the stream reaches `seconds` or its end; after the header was written.
  Status encodeUpTo(double seconds);
  // Encodes the remaining samples.
  Status finish();
  double durationSeconds() const { return static_cast<double>(total_) / kTrackSampleRate; }

  static constexpr int kTrackSampleRate = 48000;

 private:
  AudioTrack(AVFormatContext& output, const WriteWatch& watch) : output_(output), watch_(watch) {}

  Status openEncoder(const OutputAudio& audio);
  Status encodeBlock();
  Status send(const AVFrame* frame);
  // Before a packet that begins a fragment. Returns a libav status.
  int endFragment();

  AVFormatContext& output_;
  const WriteWatch watch_;
  AVStream* stream_ = nullptr;
  std::unique_ptr<WavReader> reader_;
  CodecContextPtr encoder_;
  ResamplerPtr converter_;
  PacketPtr packet_;
  std::vector<float> samples_;
  int64_t timestampOffset_ = 0;  // samples
  int64_t total_ = 0, encoded_ = 0;
  bool hasHeader_ = false;
  int64_t fragmentSamples_ = 0, nextFragment_ = 0;  // 0: the file is not fragmented, or the muxer decides
};

}  // namespace framewright
