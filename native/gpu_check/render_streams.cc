#include "gpu_check/render_streams.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

#include "compositor/choose_compositor.h"
#include "core/stopwatch.h"
#include "gpu_check/energy.h"
#include "libav/av_error.h"
#include "libav/encode/video/encoder_probe.h"
#include "libav/encode/video/families.h"
#include "libav/hardware/decode/probe_clip.h"
#include "render/render.h"

namespace framewright {
namespace {

constexpr int kMovieClipFrames = 32, kRepetitions = 4;
constexpr int kMaxSegments = 16;
constexpr double kRenderCrf = 23;

// A folder of its own for the files of a measurement.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string pattern = std::filesystem::temp_directory_path(error) / "gpu-check-XXXXXX";
    if (!error && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~TemporaryFolder() {
    for (const std::string& file : files_) std::remove(file.c_str());
    if (!path_.empty()) rmdir(path_.c_str());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  bool exists() const { return !path_.empty(); }
  std::string file(const std::string& name) {
    files_.push_back(path_ + "/" + name);
    return files_.back();
  }

 private:
  std::string path_;
  std::vector<std::string> files_;
};

Error writeError(int status) {
  return avError(ErrorCode::IO_FAILED, "a clip to render cannot be written", status);
}

// Writes a generated clip several times in succession.
Status writeClip(const std::string& path, int width, int height) {
  FW_ASSIGN_OR_RETURN(const ProbeClip clip,
                      makeProbeClip({AV_CODEC_ID_H264, 8}, width, height, kMovieClipFrames));
  AVFormatContext* context = nullptr;
  int status = avformat_alloc_output_context2(&context, nullptr, "mp4", nullptr);
  if (status < 0) return writeError(status);
  const OutputContextPtr output(context);
  AVStream* const stream = avformat_new_stream(context, nullptr);
  if (stream == nullptr) return outOfMemory("stream");
  const AVRational tick = clip.head.stream->time_base;
  status = avcodec_parameters_copy(stream->codecpar, clip.head.stream->codecpar);
  stream->time_base = tick;
  stream->avg_frame_rate = av_inv_q(tick);
  if (status >= 0) status = avio_open(&context->pb, ("file:" + path).c_str(), AVIO_FLAG_WRITE);
  if (status >= 0) status = avformat_write_header(context, nullptr);
  for (int i = 0; status >= 0 && i < kRepetitions; ++i) {
    for (const PacketPtr& packet : clip.head.packets) {
      const PacketPtr copy(av_packet_clone(packet.get()));
      if (copy == nullptr) return outOfMemory("packet");
      copy->pts += i * kMovieClipFrames;
      copy->dts += i * kMovieClipFrames;
      copy->duration = 1;
      copy->stream_index = 0;
      av_packet_rescale_ts(copy.get(), tick, stream->time_base);
      status = av_interleaved_write_frame(context, copy.get());
      if (status < 0) break;
    }
  }
  if (status >= 0) status = av_write_trailer(context);
  return status < 0 ? Status(writeError(status)) : Status();
}

Timeline movieOf(const std::string& clipPath, const std::string& encoder, int width, int height) {
  Timeline timeline;
  timeline.width = width;
  timeline.height = height;
  timeline.frames = int64_t{kMovieClipFrames} * kRepetitions;
  timeline.sources.push_back({SourceKind::kVideo, clipPath, ""});
  Section section;
  section.frames = timeline.frames;
  section.background = {20, 60, 90, 255};
  Clip clip;
  clip.id = 1;
  clip.source = 0;
  clip.frames = timeline.frames;
  clip.box = {width * 0.05, height * 0.05, width * 0.9, height * 0.9};
  section.clips = {clip};
  timeline.sections = {section};
  timeline.hardwareDecode = HardwareDecode::kOn;
  timeline.encode.encoder = encoder;
  timeline.encode.preset = fastPreset(encoder);
  timeline.encode.crf = kRenderCrf;
  return timeline;
}

class RenderMeasurement {
 public:
  RenderMeasurement(const Timeline& timeline, std::string card, TemporaryFolder& folder, double seconds)
      : timeline_(timeline), card_(std::move(card)), seconds_(seconds) {
    for (int i = 0; i < kMaxSegments; ++i) paths_.push_back(folder.file(std::to_string(i) + ".nut"));
  }

  // Renders once, which probes the devices for this size, and says what did which step.
  Result<RenderStreams> describe() const {
    const CancelToken never;
    FW_ASSIGN_OR_RETURN(const SegmentResult result,
                        renderSegment(timeline_, {0, timeline_.frames}, paths_[0], {}, never));
    RenderStreams streams;
    if (!result.videos.empty() && !result.videos[0].backend.empty())
      streams.decoder = result.videos[0].backend;
    const auto compositor = createCompositor(timeline_.compositor);
    streams.compositor = compositor.ok() && compositor.value()->device() ? "vulkan" : "cpu";
    streams.interop = result.interop;
    streams.copiesPerFrame = result.interopCopies > 0 ? 1 : 0;
    return streams;
  }

  Result<StreamRate> measure(int segments) const {
    std::vector<Result<int64_t>> counts(static_cast<size_t>(segments), int64_t{0});
    std::vector<std::thread> threads;
    const double energy = card_.empty() ? 0 : energyUsed(card_), begin = secondsOf(CLOCK_MONOTONIC);
    for (size_t i = 0; i < counts.size(); ++i)
      threads.emplace_back([&, i] { counts[i] = renderFor(i, begin); });
    for (std::thread& thread : threads) thread.join();
    const double seconds = secondsOf(CLOCK_MONOTONIC) - begin;
    int64_t frames = 0;
    for (const Result<int64_t>& count : counts) {
      if (!count.ok()) return count.error();
      frames += count.value();
    }
    StreamRate rate{.count = segments, .framesPerSecond = static_cast<double>(frames) / seconds};
    if (energy > 0) rate.joulesPerFrame = (energyUsed(card_) - energy) / static_cast<double>(frames);
    return rate;
  }

 private:
  // Renders the movie again and again.
  Result<int64_t> renderFor(size_t thread, double begin) const {
    const CancelToken never;
    int64_t frames = 0;
    do {
      FW_ASSIGN_OR_RETURN(const SegmentResult result,
                          renderSegment(timeline_, {0, timeline_.frames}, paths_[thread], {}, never));
      frames += result.frames;
    } while (secondsOf(CLOCK_MONOTONIC) < begin + seconds_);
    return frames;
  }

  const Timeline& timeline_;
  const std::string card_;
  const double seconds_;
  std::vector<std::string> paths_;
};

}  // namespace

Result<RenderStreams> measureRenderStreams(const std::string& encoder, int width, int height,
                                           double seconds) {
  TemporaryFolder folder;
  if (!folder.exists()) return Error{ErrorCode::IO_FAILED, "there is no folder for temporary files", ""};
  const std::string clip = folder.file("clip.mp4");
  FW_RETURN_IF_ERROR(writeClip(clip, width, height));
  const Timeline timeline = movieOf(clip, encoder, width, height);
  const EncoderFamily* const family = findEncoderFamily(encoder);
  const RenderMeasurement measurement(timeline, family != nullptr && family->isNvenc ? "0" : "", folder,
                                      seconds);
  FW_ASSIGN_OR_RETURN(RenderStreams streams, measurement.describe());
  FW_ASSIGN_OR_RETURN(
      streams.rate, findBestRate(kMaxSegments, [&](int segments) { return measurement.measure(segments); }));
  return streams;
}

}  // namespace framewright
