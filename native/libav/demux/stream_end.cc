#include <algorithm>

#include "formats/incomplete_file.h"
#include "formats/supported_files.h"
#include "libav/demux/demuxer.h"

// Where streams end, which many containers declare imprecisely, wrongly or not at all.
namespace framewright {
namespace {

constexpr int64_t kTailUs = 10'000'000;      // read to find the end of a stream
constexpr int64_t kTruncatedUs = 1'000'000;  // missing before the declared end
constexpr int64_t kMissingUs = 200'000;      // of audio before the end that its header declares

// Samples of the packet that the decoder has to drop: codec priming and end padding.
int64_t skippedSamples(const AVPacket& packet) {
  size_t size = 0;
  const uint8_t* skip = av_packet_get_side_data(&packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
  return skip != nullptr && size >= 8 ? static_cast<int64_t>(AV_RL32(skip)) + AV_RL32(skip + 4) : 0;
}

// Matroska stores a stream's duration only in a statistics tag: "00:00:05.000000000".
bool readDurationTagUs(const AVStream& stream, int64_t& durationUs) {
  const AVDictionaryEntry* tag = nullptr;
  int hours = 0, minutes = 0;
  double seconds = 0;
  while ((tag = av_dict_get(stream.metadata, "DURATION", tag, AV_DICT_IGNORE_SUFFIX)) != nullptr) {
    if (std::sscanf(tag->value, "%d:%d:%lf", &hours, &minutes, &seconds) == 3) {
      durationUs = std::llround((hours * 3600.0 + minutes * 60.0 + seconds) * 1e6);
      if (durationUs > 0) return true;
    }
  }
  return false;
}

}  // namespace

bool Demuxer::stopsWithinElement() const {
  return framewright::stopsWithinElement(container_, source_->file().size(), fileReader());
}

Result<int64_t> Demuxer::findEndUs(AVStream& stream) {
  const bool isPcmFile = isContainer({"wav", "w64", "aiff", "au"});
  if (isPcmFile || isContainer({"mp4", "mpegts", "mpeg", "ogg", "aac"})) stopsEarly_ = stopsWithinElement();
  // MP3 and ADTS only estimate their length, and FLAC files that were cut off declare the whole one.
  if (isContainer({"mp3", "flac", "aac"})) return scanDeclaredEndUs(stream);
  if (isPcmFile && stopsEarly_) return scanEndUs(stream);
  // The header of the last fragment counts frames that are missing.
  if (stopsEarly_ && isContainer({"mp4"})) {
    stopsEarly_ = isFragmentedMp4(source_->file().size(), fileReader());
    if (stopsEarly_) return scanEndUs(stream);
  }
  // Durations of frames that wrap around add up to days.
  const int64_t declaredUs =
      av_rescale_q(std::max<int64_t>(0, stream.duration), stream.time_base, kMicroseconds);
  if (isContainer({"mp4"}) && !checkLength(declaredUs).ok() &&
      isFragmentedMp4(source_->file().size(), fileReader()))
    return scanEndUs(stream);
  // FLV and ASF round stream lengths and count them from other origins.
  if (!isContainer({"flv", "asf"})) {
    const int64_t start = stream.start_time == AV_NOPTS_VALUE ? 0 : stream.start_time;
    if (stream.duration != AV_NOPTS_VALUE && stream.duration > 0) {
      return toMediaUs(stream, start + stream.duration) + (&stream == video_ ? reorderDelayUs_ : 0);
    }
    int64_t durationUs = 0;
    if (readDurationTagUs(stream, durationUs)) return durationUs - zeroUs_;
  }
  const bool isDeclared = context_->duration != AV_NOPTS_VALUE && context_->duration > 0 &&
                          context_->duration_estimation_method != AVFMT_DURATION_FROM_BITRATE;
  if (!isDeclared) {
    stopsEarly_ = stopsEarly_ || stopsWithinElement();
    return scanEndUs(stream);
  }
  if (isContainer({"matroska", "flv", "asf"})) return findTailEndUs(stream, context_->duration - zeroUs_);
  return context_->duration + std::min<int64_t>(0, context_->start_time);
}

// Finds the end by reading packets, and whether the header declares a later one.
Result<int64_t> Demuxer::scanDeclaredEndUs(AVStream& stream) {
  const bool isDeclared =
      stream.duration > 0 && context_->duration_estimation_method != AVFMT_DURATION_FROM_BITRATE;
  const int64_t declaredUs = isDeclared ? av_rescale_q(stream.duration, stream.time_base, kMicroseconds) : 0;
  FW_ASSIGN_OR_RETURN(const int64_t endUs, scanEndUs(stream));
  if (declaredUs - endUs > kMissingUs) stopsEarly_ = true;
  return endUs;
}

// Another stream may be longer than this one, so that the container's length says nothing about it.
Result<int64_t> Demuxer::findTailEndUs(AVStream& stream, int64_t containerEndUs) {
  int64_t lastUs = 0;
  for (const int64_t fromUs : {std::max<int64_t>(0, containerEndUs - kTailUs), int64_t{0}}) {
    for (unsigned i = 0; i < context_->nb_streams; ++i) context_->streams[i]->discard = AVDISCARD_DEFAULT;
    FW_RETURN_IF_ERROR(seek(stream, fromUs));
    FW_ASSIGN_OR_RETURN(const std::vector<int64_t> endsUs, readEndsUs());
    const int64_t endUs = endsUs[static_cast<size_t>(stream.index)];
    lastUs = std::max(lastUs, *std::max_element(endsUs.begin(), endsUs.end()));
    if (endUs <= 0 && fromUs > 0) continue;
    // A file whose streams all end early is truncated, which the decoder reports.
    const bool isTruncated = containerEndUs - lastUs > kTruncatedUs;
    FW_RETURN_IF_ERROR(seek(stream, -zeroUs_));
    return isTruncated ? containerEndUs : endUs;
  }
  return containerEndUs;
}

// End of the packets that follow, by stream; 0: none.
Result<std::vector<int64_t>> Demuxer::readEndsUs() {
  FW_ASSIGN_OR_RETURN(PacketPtr packet, allocatePacket());
  std::vector<int64_t> endsUs;
  selected_ = kAllStreams;
  while (true) {
    FW_ASSIGN_OR_RETURN(const bool more, read(*packet));
    endsUs.resize(context_->nb_streams);
    if (!more) return endsUs;
    if (packet->pts == AV_NOPTS_VALUE) continue;
    const AVStream& stream = *context_->streams[packet->stream_index];
    int64_t duration = packet->duration;
    if (duration == 0 && stream.avg_frame_rate.num > 0)
      duration = av_rescale_q(1, av_inv_q(stream.avg_frame_rate), stream.time_base);
    int64_t& endUs = endsUs[static_cast<size_t>(stream.index)];
    endUs = std::max(endUs, toMediaUs(stream, packet->pts + duration));
  }
}

Result<int64_t> Demuxer::scanEndUs(AVStream& stream) {
  select(stream);
  FW_ASSIGN_OR_RETURN(PacketPtr packet, allocatePacket());
  int64_t endUs = 0, totalTicks = 0, skipped = 0;
  while (true) {
    FW_ASSIGN_OR_RETURN(const bool more, read(*packet));
    if (!more) break;
    totalTicks += packet->duration;
    skipped += skippedSamples(*packet);
    if (packet->pts != AV_NOPTS_VALUE) {
      endUs = std::max(endUs, toMediaUs(stream, packet->pts + packet->duration));
    }
  }
  FW_RETURN_IF_ERROR(seek(stream, -zeroUs_));
  if (stream.codecpar->codec_type == AVMEDIA_TYPE_AUDIO && stream.codecpar->sample_rate > 0) {
    return av_rescale_q(totalTicks, stream.time_base, kMicroseconds) -
           av_rescale(skipped, 1'000'000, stream.codecpar->sample_rate);
  }
  return endUs;
}

}  // namespace framewright
