#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/output_file.h"
#include "libav/av_handle.h"

namespace framewright {

// The libav encoder and muxer of an output file.
struct CodecChoice {
  const char* muxer = "";
  const char* encoder = "";  // empty: audio only
  AVPixelFormat pixelFormat = AV_PIX_FMT_NONE;
  std::vector<std::pair<std::string, std::string>> encoderOptions, muxerOptions;
  bool mergesFrames = false;   // unchanged frames become longer delays
  bool isStraightYuv = false;  // has an alpha plane beside YCbCr
};

// `quality` from 0 to 1 lowers the quality of formats with maxBytes; 1 is the requested quality.
CodecChoice chooseCodec(const OutputFile& file, double quality = 1);

// The libav encoder of an audio codec, and its sample format.
struct AudioCodecChoice {
  const char* encoder = "";
  AVSampleFormat sampleFormat = AV_SAMPLE_FMT_FLTP;
  int bitrate = 0;  // 0: lossless
};
AudioCodecChoice chooseAudioCodec(const OutputAudio& audio);

}  // namespace framewright
