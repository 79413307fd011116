#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/canvas_color.h"
#include "core/geometry.h"
#include "core/mastering_display.h"

namespace framewright {

enum class OutputFormat {
  kWebm,
  kMov,
  kMp4,
  kGif,
  kWebp,
  kApng,
  kPng,
  kJpeg,
  kWebpStill,
  kAvif,
  kMp3,
  kM4a,
  kOpus,
  kFlac,
  kWav,
};

enum class OutputCodec { kVp9, kAv1, kH264, kHevc, kProRes422, kProRes4444 };
enum class OutputAudioCodec { kAac, kOpus, kMp3, kFlac, kPcm };

inline bool isAudioFormat(OutputFormat format) { return format >= OutputFormat::kMp3; }
inline bool isStillFormat(OutputFormat format) {
  return format >= OutputFormat::kPng && format <= OutputFormat::kAvif;
}
inline bool isAnimationFormat(OutputFormat format) {
  return format >= OutputFormat::kGif && format <= OutputFormat::kApng;
}
inline bool isVideoFormat(OutputFormat format) { return format <= OutputFormat::kMp4; }

// The audio of an output file.
struct OutputAudio {
  std::string path;  // WAV file of the whole mix, 48 kHz stereo, which starts at canvas frame 0
  OutputAudioCodec codec = OutputAudioCodec::kAac;
  int bitrate = 0;  // bits per second; 0: the codec's default
  int channels = 2;
};

// One file of renderOutputs(), as described by $defs.outputFile of schema/timeline.schema.json.
struct OutputFile {
  std::string path;
  OutputFormat format = OutputFormat::kWebm;
  std::optional<OutputCodec> codec;  // unset: the format's default, see videoCodecOf()
  int width = 0, height = 0;
  Rational fps{30, 1};         // of the file
  Rational canvasFps{30, 1};   // of the timeline
  int64_t first = 0, end = 0;  // canvas frames [first, end)
  bool hasAlpha = false;
  Color matte{0, 0, 0, 255};  // under transparent parts where hasAlpha is false
  std::optional<double> crf;
  int64_t bitrate = 0;         // bits per second; 0: constant quality
  int64_t maxBitrate = 0;      // peak bits per second beside crf; 0: unlimited
  int bitDepth = 8;            // 8 or 10 bits a sample
  CanvasColor color;           // HDR needs 10 bits
  MasteringDisplay mastering;  // of PQ
  // Above 0: fragmented MP4 with a fragment, which begins with a key frame, after every so many seconds. A
  // file with one stream is a CMAF track with a segment index.
  double fragmentSeconds = 0;
  // Seconds at which the timestamps of a fragmented file begin, in place of an edit list, which some players
  // ignore; at least the priming of an audio encoder. The first frame is decoded at that time, too:
  // composition offsets are negative.
  double timestampOffset = 0;
  // One file a frame, called frame-000001.png and so on, in the existing folder `path`; for png, jpeg and
  // webp-still.
  bool isSequence = false;
  int64_t maxBytes = 0;  // 0: unlimited
  std::optional<OutputAudio> audio;
};

// Whether a file is composed in high precision.
inline bool isDeep(const OutputFile& file) { return file.bitDepth > 8 || file.color.isLinear; }

// The video codec of a file of a video format.
inline OutputCodec videoCodecOf(const OutputFile& file) {
  if (file.codec) return *file.codec;
  if (file.format == OutputFormat::kWebm) return OutputCodec::kVp9;
  if (file.format == OutputFormat::kMp4) return OutputCodec::kH264;
  return file.hasAlpha ? OutputCodec::kProRes4444 : OutputCodec::kProRes422;
}

// Whether a file stores the color of each pixel.
inline bool hasFullChroma(const OutputFile& file) {
  if (file.format == OutputFormat::kMov) return videoCodecOf(file) == OutputCodec::kProRes4444;
  return isAnimationFormat(file.format) || file.format == OutputFormat::kPng ||
         file.format == OutputFormat::kWebpStill;
}

// A written file.
struct OutputFileResult {
  std::string path;
  int64_t bytes = 0;
  int64_t frames = 0;
  int width = 0, height = 0;   // may be smaller than requested where maxBytes required it; 0: audio only
  double durationSeconds = 0;  // 0: a still image
};

}  // namespace framewright
