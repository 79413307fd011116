#include "libav/outputs/movie_muxer.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include "libav/av_error.h"
#include "libav/av_parameters.h"
#include "libav/encode/audio/audio_encoder.h"
#include "libav/light/content_light.h"
#include "libav/light/mastering_display.h"
#include "libav/mux/packet_file.h"
#include "libav/mux/part_file.h"
#include "libav/outputs/audio_track.h"
#include "libav/outputs/codec_choice.h"
#include "libav/outputs/parameter_set_filter.h"

namespace framewright {
namespace {

Error stitchError(const char* what, int status) { return avError(ErrorCode::STITCH_FAILED, what, status); }

// H.264 headers may differ, because copied segments bring their own parameter sets.
bool isSameStream(const PacketFile& a, const PacketFile& b) {
  const AVCodecParameters& x = *a.stream().codecpar;
  const AVCodecParameters& y = *b.stream().codecpar;
  const bool hasSameHeaders =
      x.codec_id == AV_CODEC_ID_H264 || std::ranges::equal(extradataOf(x), extradataOf(y));
  return x.codec_id == y.codec_id && x.width == y.width && x.height == y.height &&
         x.video_delay == y.video_delay && a.mastering() == b.mastering() &&
         av_cmp_q(a.timeBase(), b.timeBase()) == 0 && hasSameHeaders;
}

// Encoded audio is this far ahead of the video, so that the muxer can interleave both.
constexpr double kTrackLeadSeconds = 0.5;

// MP4 with faststart. Durations at all common frame rates and at 48 kHz are whole multiples of the timescale,
// and four hours fit into the header's 32 bits.
const CodecChoice& plainMp4() {
  static const CodecChoice kChoice{
      .muxer = "mp4", .muxerOptions = {{"movflags", "+faststart+write_colr"}, {"movie_timescale", "240000"}}};
  return kChoice;
}

class PacketMuxer final : public MovieMuxer {
 public:
  explicit PacketMuxer(const CancelToken& cancel) : cancel_(cancel) {}

  Status open(const StitchRequest& request) {
    const auto& [segmentPaths, audioPath, outputPath, file] = request;
    const CodecChoice container = file ? chooseCodec(*file) : plainMp4();
    if (segmentPaths.empty()) return stitchError("there are no segments to stitch", 0);
    packet_.reset(av_packet_alloc());
    audioPacket_.reset(av_packet_alloc());
    AVFormatContext* context = nullptr;
    int status = avformat_alloc_output_context2(&context, nullptr, container.muxer, nullptr);
    if (status < 0 || packet_ == nullptr || audioPacket_ == nullptr)
      return stitchError("the movie file cannot be created", status);
    output_.reset(context);
    FW_ASSIGN_OR_RETURN(first_, PacketFile::open(segmentPaths.front()));
    if (first_->stream().codecpar->codec_type != AVMEDIA_TYPE_VIDEO)
      return stitchError("a segment has no video stream", 0);
    isDeep_ = file && file->bitDepth == 10;
    FW_RETURN_IF_ERROR(addVideoStream(segmentPaths));
    if (file && file->audio) {
      FW_ASSIGN_OR_RETURN(track_, AudioTrack::open(*file, *context, watch_));
    } else if (!audioPath.empty()) {
      FW_RETURN_IF_ERROR(addAudioStream(audioPath));
    }
    part_.emplace(outputPath);
    // faststart reads the file back by this name when the trailer is written.
    const std::string url = "file:" + part_->path();
    context->url = av_strdup(url.c_str());
    context->flags |= AVFMT_FLAG_BITEXACT;
    status = avio_open(&context->pb, url.c_str(), AVIO_FLAG_WRITE);
    Options options;
    for (const auto& [name, value] : container.muxerOptions) options.set(name.c_str(), value.c_str());
    if (status >= 0) status = avformat_write_header(context, options.get());
    if (status < 0) return avError(ErrorCode::IO_FAILED, "the movie file cannot be written", status);
    return {};
  }

  Status append(const std::string& segmentPath) override {
    FW_ASSIGN_OR_RETURN(auto segment, PacketFile::open(segmentPath));
    if (!isSameStream(*first_, *segment)) return differs(segmentPath);
    h264::ParameterSets::Ids ids;
    if (isH264()) {
      FW_ASSIGN_OR_RETURN(ids, idsOf(*segment, segmentPath));
    }
    const AVRational timeBase = segment->timeBase();
    int64_t frames = 0;
    while (true) {
      if (cancel_.cancelled()) return cancelledError();
      FW_ASSIGN_OR_RETURN(const bool more, segment->read(*packet_));
      if (!more) break;
      if (frames == 0 && (packet_->flags & AV_PKT_FLAG_KEY) == 0)
        return stitchError("a segment does not start with an IDR frame", 0);
      if (!renumberParameterSets(*packet_, sets_, ids))
        return stitchError("a copied frame cannot be parsed", 0);
      FW_RETURN_IF_ERROR(prepareHdr(*packet_));
      packet_->pts += frames_;
      packet_->dts += frames_;
      packet_->duration = 1;
      if (packet_->pts < packet_->dts) return stitchError("a segment's frames are out of order", 0);
      FW_RETURN_IF_ERROR(writeAudioBefore(packet_->dts, timeBase));
      FW_RETURN_IF_ERROR(write(*packet_, 0, timeBase));
      ++frames;
    }
    if (frames == 0) return stitchError("a segment is empty", 0);
    frames_ += frames;
    return {};
  }

  Result<MuxResult> finish() override {
    const AVRational timeBase = first_->timeBase();
    FW_RETURN_IF_ERROR(track_ != nullptr ? track_->finish()
                                         : writeLastAudio(av_rescale_q(frames_, timeBase, audioTick_)));
    int status = av_write_trailer(output_.get());
    if (status >= 0) {
      avio_flush(output_->pb);
      status = output_->pb->error;
    }
    if (status >= 0) status = avio_closep(&output_->pb);
    if (status < 0) return avError(ErrorCode::IO_FAILED, "the movie file cannot be written", status);
    output_.reset();
    if (first_->mastering()) FW_RETURN_IF_ERROR(writeContentLight(part_->path(), light_));
    MuxResult result;
    result.frames = frames_;
    result.durationSeconds = static_cast<double>(frames_) * av_q2d(timeBase);
    FW_ASSIGN_OR_RETURN(result.bytes, part_->publish("the movie file cannot be renamed"));
    return result;
  }

 private:
  static Error differs(const std::string& segmentPath) {
    return {ErrorCode::STITCH_FAILED, "the segments' codec headers differ", segmentPath};
  }

  bool isH264() const { return first_->stream().codecpar->codec_id == AV_CODEC_ID_H264; }

  Result<h264::ParameterSets::Ids> idsOf(const PacketFile& segment, const std::string& path) {
    auto ids = sets_.add(extradataOf(*segment.stream().codecpar));
    if (!ids) return differs(path);
    return *std::move(ids);
  }

  // Collects the parameter sets of all segments if some have copied frames.
  Status addParameterSets(AVCodecParameters& parameters, const std::vector<std::string>& segmentPaths) {
    for (const std::string& path : segmentPaths) {
      FW_ASSIGN_OR_RETURN(const auto segment, PacketFile::open(path));
      FW_ASSIGN_OR_RETURN([[maybe_unused]] const auto ids, idsOf(*segment, path));
    }
    if (!sets_.hasCopied()) return {};
    const auto headers = sets_.movieExtradata(parameters.video_delay);
    if (!headers || !setExtradata(parameters, *headers))
      return stitchError("the movie's parameter sets cannot be merged", 0);
    return {};
  }

  Status addVideoStream(const std::vector<std::string>& segmentPaths) {
    AVStream* stream = avformat_new_stream(output_.get(), nullptr);
    if (stream == nullptr) return stitchError("the movie file cannot be created", AVERROR(ENOMEM));
    AVCodecParameters& parameters = *stream->codecpar;
    const int status = avcodec_parameters_copy(&parameters, first_->stream().codecpar);
    if (status < 0) return stitchError("the movie file cannot be created", status);
    if (isH264()) FW_RETURN_IF_ERROR(addParameterSets(parameters, segmentPaths));
    // Apple's players require hvc1, which means parameter sets only in the sample description, as here.
    parameters.codec_tag = parameters.codec_id == AV_CODEC_ID_HEVC ? MKTAG('h', 'v', 'c', '1') : 0;
    parameters.format = isDeep_ ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P;
    parameters.color_range = AVCOL_RANGE_MPEG;
    setColors(parameters, colorsOf(*first_->stream().codecpar));
    parameters.chroma_location = AVCHROMA_LOC_LEFT;
    parameters.sample_aspect_ratio = stream->sample_aspect_ratio = {1, 1};
    stream->time_base = first_->timeBase();
    stream->avg_frame_rate = stream->r_frame_rate = av_inv_q(stream->time_base);
    if (!first_->mastering()) return {};
    if (parameters.codec_id == AV_CODEC_ID_HEVC) {
      FW_ASSIGN_OR_RETURN(filter_, ParameterSetFilter::create(parameters));
    }
    FW_RETURN_IF_ERROR(addMasteringDisplay(*stream, *first_->mastering()));
    return addContentLightPlaceholder(*stream);
  }

  // Of PQ: collects the light of segments from their key frames.
  Status prepareHdr(AVPacket& packet) {
    if (!first_->mastering()) return {};
    const bool isKey = (packet.flags & AV_PKT_FLAG_KEY) != 0;
    if (isKey && av_packet_make_writable(&packet) < 0) return outOfMemory("packet");
    const AVCodecID codec = first_->stream().codecpar->codec_id;
    const auto light = !isKey ? std::nullopt
                       : codec == AV_CODEC_ID_VP9
                           ? removeContentLight(packet)
                           : takeContentLight({packet.data, static_cast<size_t>(packet.size)}, codec);
    if (light) {
      light_.max = std::max(light_.max, light->max);
      light_.maxAverage = std::max(light_.maxAverage, light->maxAverage);
    }
    if (filter_ && filter_->filter(packet) < 0) return stitchError("a frame cannot be parsed", 0);
    return {};
  }

  Status addAudioStream(const std::string& path) {
    FW_ASSIGN_OR_RETURN(audio_, PacketFile::open(path));
    AVStream* stream = avformat_new_stream(output_.get(), nullptr);
    if (stream == nullptr) return stitchError("the movie file cannot be created", AVERROR(ENOMEM));
    const int status = avcodec_parameters_copy(stream->codecpar, audio_->stream().codecpar);
    if (status < 0) return stitchError("the movie file cannot be created", status);
    stream->codecpar->codec_tag = 0;
    stream->codecpar->frame_size = kAacPriming;
    stream->codecpar->initial_padding = kAacPriming;
    stream->time_base = audioTick_;
    return {};
  }

  Status write(AVPacket& packet, int index, AVRational timeBase) {
    packet.stream_index = index;
    av_packet_rescale_ts(&packet, timeBase, output_->streams[index]->time_base);
    // An encoded track is interleaved by libav.
    const int status = track_ != nullptr ? av_interleaved_write_frame(output_.get(), &packet)
                                         : av_write_frame(output_.get(), &packet);
    av_packet_unref(&packet);
    if (status < 0) return avError(ErrorCode::IO_FAILED, "the movie file cannot be written", status);
    return {};
  }

  // Writes the audio that is heard before a frame of the video.
  Status writeAudioBefore(int64_t dts, AVRational timeBase) {
    if (track_ == nullptr) return writeAudioUpTo(av_rescale_q(dts, timeBase, audioTick_));
    return track_->encodeUpTo(static_cast<double>(dts) * av_q2d(timeBase) + kTrackLeadSeconds);
  }

  // Reads the next packet into audioPacket_ unless it has one; timestamps in samples. False at the end.
  Result<bool> nextAudio() {
    if (audio_ == nullptr) return false;
    if (audioPacket_->data != nullptr) return true;
    FW_ASSIGN_OR_RETURN(const bool more, audio_->read(*audioPacket_));
    if (!more) return false;
    audioPacket_->pts -= kAacPriming;
    audioPacket_->dts = audioPacket_->pts;
    audioPacket_->duration = 1024;
    return true;
  }

  // Writes packets that end by `sample`; the one across it may have to be shortened.
  Status writeAudioUpTo(int64_t sample) {
    while (true) {
      FW_ASSIGN_OR_RETURN(const bool more, nextAudio());
      if (!more || audioPacket_->pts + audioPacket_->duration > sample) return {};
      FW_RETURN_IF_ERROR(write(*audioPacket_, 1, audioTick_));
    }
  }

  // Shortens the last packet so that the audio ends with the video.
  Status writeLastAudio(int64_t end) {
    FW_RETURN_IF_ERROR(writeAudioUpTo(end));
    FW_ASSIGN_OR_RETURN(const bool more, nextAudio());
    if (!more || audioPacket_->pts >= end) return {};
    audioPacket_->duration = end - audioPacket_->pts;
    return write(*audioPacket_, 1, audioTick_);
  }

  std::optional<PartFile> part_;  // destroyed after output_, which closes the file
  std::unique_ptr<PacketFile> first_, audio_;
  h264::ParameterSets sets_;                  // of all segments
  std::optional<ParameterSetFilter> filter_;  // of HEVC with PQ
  ContentLight light_;                        // of PQ
  OutputContextPtr output_;
  std::unique_ptr<AudioTrack> track_;  // in place of audio_
  bool isDeep_ = false;                // 10 bits a sample
  PacketPtr packet_, audioPacket_;
  AVRational audioTick_{1, 48000};
  int64_t frames_ = 0;
  const CancelToken& cancel_;
  const CancelToken neverStopped_;
  std::atomic<int64_t> steps_{0};
  const WriteWatch watch_{cancel_, neverStopped_, steps_};
};

}  // namespace

Result<std::unique_ptr<MovieMuxer>> MovieMuxer::open(const StitchRequest& request,
                                                     const CancelToken& cancel) {
  auto muxer = std::make_unique<PacketMuxer>(cancel);
  FW_RETURN_IF_ERROR(muxer->open(request));
  return std::unique_ptr<MovieMuxer>(std::move(muxer));
}

}  // namespace framewright
