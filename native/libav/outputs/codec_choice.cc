#include "libav/outputs/codec_choice.h"

#include <algorithm>
#include <cmath>

#include "libav/encode/video/x264_instructions.h"
#include "libav/light/content_light.h"
#include "libav/light/mastering_display.h"

namespace framewright {
namespace {

std::string qualityText(double value) { return std::to_string(static_cast<int>(std::lround(value))); }

// Several encoders run at once, so each looks ahead over fewer frames than its preset says: that saves a
// quarter of its memory or more, and files are no larger at the same quality.
void chooseVp9(const OutputFile& file, CodecChoice& choice) {
  choice.encoder = "libvpx-vp9";
  choice.pixelFormat = file.hasAlpha         ? AV_PIX_FMT_YUVA420P
                       : file.bitDepth == 10 ? AV_PIX_FMT_YUV420P10LE
                                             : AV_PIX_FMT_YUV420P;
  choice.isStraightYuv = file.hasAlpha;
  choice.encoderOptions = {{"deadline", "good"}, {"cpu-used", "3"}, {"row-mt", "1"}, {"lag-in-frames", "16"}};
  // The alpha channel is a stream of its own, which alternate reference frames would desynchronize.
  choice.encoderOptions.emplace_back("auto-alt-ref", file.hasAlpha ? "0" : "1");
  if (file.bitrate == 0) choice.encoderOptions.emplace_back("crf", qualityText(file.crf.value_or(24)));
}

void chooseAv1(const OutputFile& file, CodecChoice& choice) {
  choice.encoder = "libsvtav1";
  choice.pixelFormat = file.bitDepth == 10 ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P;
  choice.encoderOptions = {{"preset", "8"}};
  std::string parameters = "lookahead=16";
  if (file.bitrate == 0)
    choice.encoderOptions.emplace_back("crf", qualityText(std::max(1.0, file.crf.value_or(30))));
  if (file.color.transfer == CanvasTransfer::kPq)
    parameters += ":mastering-display=" + masteringDisplayText(file.mastering, Av1Units{}) +
                  ":content-light=" + contentLightPlaceholder();
  if (file.maxBitrate > 0) {
    const int64_t kilobits = std::max<int64_t>(1, file.maxBitrate / 1000);
    parameters += ":mbr=" + std::to_string(kilobits);
  }
  choice.encoderOptions.emplace_back("svtav1-params", parameters);
}

void chooseX26(const OutputFile& file, CodecChoice& choice) {
  const bool isHevc = videoCodecOf(file) == OutputCodec::kHevc;
  choice.encoder = isHevc ? "libx265" : "libx264";
  choice.pixelFormat = file.bitDepth == 10 ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P;
  choice.encoderOptions = {{"preset", "medium"}};
  // Fragments of several files begin at the same frames, so no scene change may add a key frame.
  const bool isFragmented = file.fragmentSeconds > 0;
  if (isHevc) {
    const std::string fixed = isFragmented ? ":scenecut=0:open-gop=0" : "";
    const bool isPq = file.color.transfer == CanvasTransfer::kPq;
    const std::string hdr = isPq ? ":hdr10=1:repeat-headers=1:master-display=" +
                                       masteringDisplayText(file.mastering, HevcUnits{}) +
                                       ":max-cll=" + contentLightPlaceholder()
                                 : "";
    choice.encoderOptions.emplace_back("x265-params", "log-level=none:rc-lookahead=12" + fixed + hdr);
  } else {
    choice.encoderOptions.emplace_back("rc-lookahead", "20");
    if (const char* instructions = x264Instructions())
      choice.encoderOptions.emplace_back("x264-params", instructions);
    if (isFragmented) choice.encoderOptions.emplace_back("sc_threshold", "0");
  }
  if (file.bitrate == 0) {
    const double crf = std::min(51.0, file.crf.value_or(isHevc ? 23 : 20));
    choice.encoderOptions.emplace_back("crf", std::to_string(crf));
  }
}

void chooseProRes(const OutputFile& file, CodecChoice& choice) {
  const bool is4444 = videoCodecOf(file) == OutputCodec::kProRes4444;
  choice.encoder = "prores_ks";
  choice.pixelFormat = !is4444         ? AV_PIX_FMT_YUV422P10LE
                       : file.hasAlpha ? AV_PIX_FMT_YUVA444P10LE
                                       : AV_PIX_FMT_YUV444P10LE;
  choice.isStraightYuv = file.hasAlpha;
  // A fixed quantizer, because the search for the nominal bit rate takes eight times as long for worse
  // frames; grain may then exceed that rate.
  choice.encoderOptions = {{"profile", is4444 ? "4444" : "standard"}, {"vendor", "apl0"}, {"qscale", "4"}};
  if (file.hasAlpha) choice.encoderOptions.emplace_back("alpha_bits", "16");
}

// Flags of the MP4 muxer for fragmented files. The header waits for the first fragment, which decides the
// edit list.
std::string fragmentFlags(const OutputFile& file) {
  const bool hasVideo = isVideoFormat(file.format);
  const std::string cut = hasVideo ? "+frag_keyframe" : "+frag_custom";
  const bool isTrack = !hasVideo || !file.audio;
  const std::string start = file.timestampOffset > 0 ? "+frag_discont+negative_cts_offsets" : "";
  return cut + start + "+delay_moov+default_base_moof+skip_trailer" + (isTrack ? "+dash+global_sidx" : "");
}

void chooseVideo(const OutputFile& file, CodecChoice& choice) {
  choice.muxer = file.format == OutputFormat::kWebm  ? "webm"
                 : file.format == OutputFormat::kMov ? "mov"
                                                     : "mp4";
  if (file.format != OutputFormat::kWebm) {
    const std::string layout = file.fragmentSeconds > 0 ? fragmentFlags(file) : "+faststart";
    choice.muxerOptions = {{"movflags", layout + "+write_colr"}, {"movie_timescale", "240000"}};
  }
  switch (videoCodecOf(file)) {
    case OutputCodec::kVp9:
      return chooseVp9(file, choice);
    case OutputCodec::kAv1:
      return chooseAv1(file, choice);
    case OutputCodec::kH264:
    case OutputCodec::kHevc:
      return chooseX26(file, choice);
    case OutputCodec::kProRes422:
    case OutputCodec::kProRes4444:
      return chooseProRes(file, choice);
  }
}

// `crf` 0 is lossless for WebP.
void chooseWebp(const OutputFile& file, double quality, CodecChoice& choice) {
  constexpr double kDefaultCrf = 20;
  const double crf = file.crf.value_or(kDefaultCrf);
  choice.pixelFormat = AV_PIX_FMT_RGB32;
  choice.encoderOptions = {{"lossless", crf == 0 && quality == 1 ? "1" : "0"},
                           {"quality", qualityText(std::clamp((100 - crf) * quality, 1.0, 100.0))},
                           {"compression_level", "4"}};
}

void chooseJpeg(const OutputFile& file, double quality, CodecChoice& choice) {
  // The encoder's scale is 1 (best) to 31; crf 0 to 63 covers it.
  const double scale = 1 + file.crf.value_or(4) / 2;
  choice.encoder = "mjpeg";
  choice.muxer = "image2pipe";
  choice.pixelFormat = AV_PIX_FMT_YUVJ420P;
  choice.encoderOptions = {
      {"qscale", std::to_string(std::clamp(scale / std::max(quality, 0.01), 1.0, 31.0))}};
}

void chooseImage(const OutputFile& file, double quality, CodecChoice& choice) {
  const AVPixelFormat rgb = file.hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24;
  switch (file.format) {
    case OutputFormat::kWebp:
      choice.muxer = "webp";
      choice.muxerOptions = {{"loop", "0"}};
      choice.encoder = "libwebp_anim";
      choice.mergesFrames = true;
      return chooseWebp(file, quality, choice);
    case OutputFormat::kWebpStill:
      choice.muxer = "image2pipe";
      choice.encoder = "libwebp";
      return chooseWebp(file, quality, choice);
    case OutputFormat::kApng:
      choice = {"apng", "apng", rgb, {{"pred", "paeth"}, {"compression_level", "6"}}, {{"plays", "0"}}, true};
      return;
    case OutputFormat::kPng:
      choice = {"image2pipe", "png", rgb, {{"pred", "mixed"}, {"compression_level", "7"}}};
      return;
    case OutputFormat::kJpeg:
      return chooseJpeg(file, quality, choice);
    case OutputFormat::kAvif:
      choice = {"avif", "libaom-av1", AV_PIX_FMT_YUV420P, {{"still-picture", "1"}, {"cpu-used", "6"}}};
      choice.encoderOptions.emplace_back("crf", qualityText(file.crf.value_or(20)));
      return;
    default:
      return;
  }
}

}  // namespace

CodecChoice chooseCodec(const OutputFile& file, double quality) {
  CodecChoice choice;
  if (isVideoFormat(file.format)) {
    chooseVideo(file, choice);
  } else if (isAudioFormat(file.format)) {
    static constexpr const char* kMuxers[] = {"mp3", "ipod", "opus", "flac", "wav"};
    choice.muxer = kMuxers[static_cast<int>(file.format) - static_cast<int>(OutputFormat::kMp3)];
    if (file.format == OutputFormat::kM4a) {
      const bool isFragmented = file.fragmentSeconds > 0;
      if (isFragmented) choice.muxer = "mp4";
      choice.muxerOptions = {{"movflags", isFragmented ? fragmentFlags(file) : "+faststart"}};
    }
  } else {
    chooseImage(file, quality, choice);
  }
  if (file.timestampOffset > 0) choice.muxerOptions.emplace_back("use_editlist", "0");
  return choice;
}

AudioCodecChoice chooseAudioCodec(const OutputAudio& audio) {
  const auto bitrate = [&](int fallback) { return audio.bitrate > 0 ? audio.bitrate : fallback; };
  switch (audio.codec) {
    case OutputAudioCodec::kAac:
      return {"aac", AV_SAMPLE_FMT_FLTP, bitrate(192000)};
    case OutputAudioCodec::kOpus:
      return {"libopus", AV_SAMPLE_FMT_FLT, bitrate(128000)};
    case OutputAudioCodec::kMp3:
      return {"libmp3lame", AV_SAMPLE_FMT_FLTP, bitrate(192000)};
    case OutputAudioCodec::kFlac:
      return {"flac", AV_SAMPLE_FMT_S32, 0};
    case OutputAudioCodec::kPcm:
      return {"pcm_s16le", AV_SAMPLE_FMT_S16, 0};
  }
  return {};
}

}  // namespace framewright
