#include "libav/demux/demuxer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "formats/incomplete_file.h"
#include "formats/supported_files.h"
#include "formats/unsupported_format.h"
#include "libav/av_error.h"
#include "libav/codec_policy.h"
#include "libav/demux/mp4_tables.h"

namespace framewright {
namespace {

constexpr int kMaxUnreadable = 1000;  // read errors in a row, before the file counts as ended

// Rejects nested opens: data references, playlists and segments would let a media file read other files.
int rejectOpen(AVFormatContext*, AVIOContext** io, const char*, int, AVDictionary**) {
  *io = nullptr;
  return AVERROR(EPERM);
}

bool isCoverArt(const AVStream& stream) { return (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0; }

// MPEG-TS announces streams of which a recording may contain no packet.
bool hasParameters(const AVCodecParameters& parameters) {
  return parameters.codec_type == AVMEDIA_TYPE_VIDEO ? parameters.width > 0 : parameters.sample_rate > 0;
}

bool isInProgram(const AVProgram& program, const AVStream& stream) {
  const std::span<const unsigned> indexes(program.stream_index, program.nb_stream_indexes);
  return std::find(indexes.begin(), indexes.end(), static_cast<unsigned>(stream.index)) != indexes.end();
}

// Whether a program contains both streams. Files without programs count as one.
bool shareProgram(const AVFormatContext& context, const AVStream& one, const AVStream& other) {
  if (context.nb_programs == 0) return true;
  return std::any_of(context.programs, context.programs + context.nb_programs, [&](const AVProgram* program) {
    return isInProgram(*program, one) && isInProgram(*program, other);
  });
}

// The first stream that is marked as default, otherwise the first. `video`: prefers streams of its program.
AVStream* bestStream(AVFormatContext& context, AVMediaType type, const AVStream* video = nullptr) {
  const auto rank = [&](const AVStream& stream) {
    const bool isRelated = video == nullptr || shareProgram(context, stream, *video);
    const bool isDefault = (stream.disposition & AV_DISPOSITION_DEFAULT) != 0;
    return std::tuple(hasParameters(*stream.codecpar), isRelated, isDefault);
  };
  AVStream* best = nullptr;
  for (unsigned i = 0; i < context.nb_streams; ++i) {
    AVStream* stream = context.streams[i];
    if (stream->codecpar->codec_type != type || isCoverArt(*stream)) continue;
    if (best == nullptr || rank(*stream) > rank(*best)) best = stream;
  }
  return best;
}

// Rejects documents and playlists, naming their type, before a parser reads them.
Status rejectTextFiles(AVIOContext* io) {
  std::vector<uint8_t> start(kSignatureBytes);
  const int count = avio_read(io, start.data(), kSignatureBytes);
  if (count > 0) FW_RETURN_IF_ERROR(rejectForeignText({start.data(), static_cast<size_t>(count)}));
  const int64_t status = avio_seek(io, 0, SEEK_SET);
  if (status < 0)
    return avError(ErrorCode::MEDIA_UNREADABLE, "the file cannot be read", static_cast<int>(status));
  return {};
}

Result<const AVInputFormat*> detectFormat(AVIOContext* io) {
  FW_RETURN_IF_ERROR(rejectTextFiles(io));
  const AVInputFormat* format = nullptr;
  const int status = av_probe_input_buffer2(io, &format, "", nullptr, 0, 0);
  if (status < 0 || format == nullptr) {
    return Error{ErrorCode::MEDIA_UNSUPPORTED,
                 std::string("the file is not a known media format; allowed: ") + kSupportedFiles,
                 status < 0 ? avText(status) : ""};
  }
  if (containerName(*format) == nullptr) {
    return unsupportedMedia(std::string("the format ") + format->name +
                            " is not supported; allowed: " + kSupportedFiles);
  }
  return format;
}

// Tracks of MP4 files have ids. If one lacks an id, libav searches all tracks for every fragment, which takes
// a second of CPU time each.
Status checkTrackIds(const AVFormatContext& context) {
  for (unsigned i = 0; i < context.nb_streams; ++i) {
    if (context.streams[i]->id < 0) {
      return Error{ErrorCode::MEDIA_UNREADABLE, "the file is damaged or incomplete",
                   "track " + std::to_string(i) + " has no id"};
    }
  }
  return {};
}

// Runs before avformat_find_stream_info(), which decodes the first frames.
Status checkHeaders(const AVFormatContext& context) {
  if (context.nb_streams > kMaxStreams) {
    return unsupportedMedia("the file has " + std::to_string(context.nb_streams) +
                            " streams; at most 64 are allowed");
  }
  for (unsigned i = 0; i < context.nb_streams; ++i)
    FW_RETURN_IF_ERROR(checkStreamHeader(*context.streams[i]));
  return {};
}

// avformat_find_stream_info() with the limits of our own decoders.
int findStreamInfo(AVFormatContext& context) {
  std::vector<AVDictionary*> options(context.nb_streams, nullptr);
  for (AVDictionary*& option : options) av_dict_set_int(&option, "max_pixels", kMaxVideoPixels, 0);
  const int status = avformat_find_stream_info(&context, options.data());
  for (AVDictionary*& option : options) av_dict_free(&option);
  return status;
}

}  // namespace

Result<std::unique_ptr<Demuxer>> Demuxer::open(const std::string& path, std::vector<ByteRange> damage) {
  std::unique_ptr<Demuxer> demuxer(new Demuxer());
  FW_ASSIGN_OR_RETURN(demuxer->source_, ByteSource::open(path));
  demuxer->source_->hide(damage);
  demuxer->isSearched_ = !damage.empty();
  demuxer->damaged_ = std::move(damage);
  FW_ASSIGN_OR_RETURN(const AVInputFormat* format, detectFormat(demuxer->source_->io()));
  demuxer->container_ = containerName(*format);
  const bool isMp4 = demuxer->isContainer({"mp4"});
  if (isMp4) FW_RETURN_IF_ERROR(checkMp4Tables(demuxer->source_->io()));

  AVFormatContext* context = avformat_alloc_context();
  if (context == nullptr) return outOfMemory("demuxer");
  context->pb = demuxer->source_->io();
  context->io_open = rejectOpen;
  context->protocol_whitelist = av_strdup("");
  context->codec_whitelist = av_strdup(decoderWhitelist());
  context->max_streams = kMaxStreams + 1;                           // MPEG-TS adds streams while it is read
  int status = avformat_open_input(&context, "", format, nullptr);  // frees the context when it fails
  if (status < 0) return avError(ErrorCode::MEDIA_UNREADABLE, "the file is damaged or incomplete", status);
  demuxer->context_.reset(context);
  FW_RETURN_IF_ERROR(checkHeaders(*context));
  if (isMp4) FW_RETURN_IF_ERROR(checkTrackIds(*context));
  status = findStreamInfo(*context);
  if (status < 0) return avError(ErrorCode::MEDIA_UNREADABLE, "the file is damaged or incomplete", status);
  // Some containers reveal streams and their headers only now.
  FW_RETURN_IF_ERROR(checkHeaders(*context));

  demuxer->video_ = bestStream(*context, AVMEDIA_TYPE_VIDEO);
  demuxer->audio_ = bestStream(*context, AVMEDIA_TYPE_AUDIO, demuxer->video_);
  if (demuxer->video_ == nullptr && demuxer->audio_ == nullptr) {
    return unreadableMedia("the file has neither a video nor an audio stream");
  }
  demuxer->initMediaZero();
  return demuxer;
}

bool Demuxer::isContainer(std::initializer_list<std::string_view> names) const {
  return std::find(names.begin(), names.end(), container_) != names.end();
}

void Demuxer::initMediaZero() {
  const int64_t start = context_->start_time;
  if (start != AV_NOPTS_VALUE) zeroUs_ = hasArbitraryStart() ? start : std::max<int64_t>(0, start);
  if (video_ == nullptr || video_->start_time == AV_NOPTS_VALUE || video_->avg_frame_rate.num <= 0) return;
  const int64_t frameUs = av_rescale_q(1, av_inv_q(video_->avg_frame_rate), kMicroseconds);
  int64_t maxDelayUs = frameUs * 3 / 2;  // muxers round times and fill their first packet
  // AVI stores no presentation times: frames get the time at which the decoder outputs them.
  if (isContainer({"avi"})) {
    reorderDelayUs_ = frameUs * std::max(0, video_->codecpar->video_delay);
    // AVI has no other means to delay video by the audio's priming than whole frames.
    maxDelayUs = reorderDelayUs_ + 2 * frameUs;
  }
  const int64_t delayUs =
      av_rescale_q(video_->start_time, video_->time_base, kMicroseconds) + reorderDelayUs_ - zeroUs_;
  if (delayUs > 0 && delayUs <= maxDelayUs) zeroUs_ += delayUs;
}

void Demuxer::select(const AVStream& stream) {
  selected_ = stream.index;
  for (unsigned i = 0; i < context_->nb_streams; ++i) {
    context_->streams[i]->discard = static_cast<int>(i) == selected_ ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  }
}

int Demuxer::audioStreamCount() const {
  const std::span<AVStream* const> streams(context_->streams, context_->nb_streams);
  return static_cast<int>(std::count_if(streams.begin(), streams.end(), [](const AVStream* stream) {
    return stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO && hasParameters(*stream->codecpar);
  }));
}

Result<bool> Demuxer::read(AVPacket& packet) {
  int unreadable = 0;
  while (true) {
    av_packet_unref(&packet);
    const int status = av_read_frame(context_.get(), &packet);
    // A truncated file just ends; the decoder reports frames missing before the declared end.
    if (status == AVERROR_EOF) {
      noteHiddenDamage(INT64_MAX);
      return false;
    }
    if (status == AVERROR_INVALIDDATA) {
      // Demuxers resume behind damaged data.
      if (++unreadable > kMaxUnreadable) return false;
      isDamaged_ = true;
      continue;
    }
    if (status == AVERROR(EAGAIN)) continue;
    if (status < 0) return avError(ErrorCode::MEDIA_UNREADABLE, "the file cannot be read", status);
    if (selected_ != kAllStreams && packet.stream_index != selected_) continue;
    if (awaitsTimestamp_) {
      // The first time after a seek in MPEG-PS may belong to a frame of which only the end was read.
      if (firstPosition_ < 0) firstPosition_ = packet.pos;
      awaitsTimestamp_ = packet.pos < 0 || packet.pos == firstPosition_;
      continue;
    }
    if (awaitsKeyFrame_ && (packet.flags & AV_PKT_FLAG_KEY) == 0) continue;
    awaitsKeyFrame_ = false;
    noteHiddenDamage(packet.pos);
    return true;
  }
}

bool Demuxer::hideDamage() {
  if (isSearched_ || !isContainer({"matroska"})) return false;
  isSearched_ = true;
  damaged_ = readMatroskaStructure(source_->file().size(), fileReader()).damaged;
  if (damaged_.empty()) return false;
  source_->hide(damaged_);
  return true;
}

ReadAt Demuxer::fileReader() const {
  return [&file = source_->file()](int64_t offset, std::span<uint8_t> to) {
    return static_cast<size_t>(std::max<int64_t>(0, file.readSome(offset, to.data(), to.size())));
  };
}

// Reports the damage between the last packet and that at `position`.
void Demuxer::noteHiddenDamage(int64_t position) {
  if (position < 0) return;
  const auto isPassed = [&](const ByteRange& range) {
    return range.first > lastPosition_ && range.first < position;
  };
  if (lastPosition_ >= 0 && std::any_of(damaged_.begin(), damaged_.end(), isPassed)) isDamaged_ = true;
  lastPosition_ = position;
}

Status Demuxer::seek(const AVStream& stream, int64_t timeUs) {
  const int64_t delayUs = &stream == video_ ? reorderDelayUs_ : 0;
  const int64_t target = av_rescale_q(timeUs + zeroUs_ - delayUs, kMicroseconds, stream.time_base);
  const bool isMpeg = isContainer({"mpegts", "mpeg"});
  // Without an index libav finds the packet by its time, which may be between key frames. From such a packet
  // on, some decoders output damaged frames.
  awaitsKeyFrame_ = isMpeg && timeUs > 0 && &stream == video_;
  awaitsTimestamp_ = awaitsKeyFrame_ && isContainer({"mpeg"});
  firstPosition_ = lastPosition_ = -1;
  int status = isMpeg && timeUs <= 0
                   ? av_seek_frame(context_.get(), -1, 0, AVSEEK_FLAG_BYTE)
                   : av_seek_frame(context_.get(), stream.index, target, AVSEEK_FLAG_BACKWARD);
  if (status < 0)
    status = av_seek_frame(context_.get(), stream.index, 0, AVSEEK_FLAG_BACKWARD | AVSEEK_FLAG_ANY);
  if (status < 0) status = avformat_seek_file(context_.get(), -1, INT64_MIN, INT64_MIN, INT64_MAX, 0);
  if (status < 0) return avError(ErrorCode::MEDIA_UNREADABLE, "it has no frames that can be reached", status);
  return {};
}

int64_t Demuxer::toMediaUs(const AVStream& stream, int64_t timestamp) const {
  return av_rescale_q(timestamp, stream.time_base, kMicroseconds) - zeroUs_;
}

}  // namespace framewright
