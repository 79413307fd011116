#include "libav/demux/probe.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "formats/animation/animation.h"
#include "formats/image_colors.h"
#include "formats/image_header.h"
#include "formats/stills/heif_file.h"
#include "formats/unsupported_format.h"
#include "libav/codec_policy.h"
#include "libav/demux/demuxer.h"
#include "libav/demux/local_file.h"
#include "libav/demux/read_mastering.h"
#include "libav/demux/stream_metadata.h"

namespace framewright {
namespace {

const char* hdrName(AVColorTransferCharacteristic transfer) {
  return transfer == AVCOL_TRC_ARIB_STD_B67 ? "hlg" : transfer == AVCOL_TRC_SMPTE2084 ? "pq" : "";
}

Result<MediaMetadata> probeImage(const std::string& path) {
  FW_ASSIGN_OR_RETURN(const FileBytes bytes, readImageFile(path));
  const std::span<const uint8_t> file = bytes.data();
  FW_ASSIGN_OR_RETURN(const ImageHeader header, readImageHeader(file));
  FW_ASSIGN_OR_RETURN(const auto animation, readAnimation(file));
  MediaMetadata metadata;
  metadata.kind = MediaMetadata::Kind::kImage;
  metadata.container = imageTypeName(header.type);
  metadata.videoCodec = header.type == ImageType::kJpeg   ? "mjpeg"
                        : header.type == ImageType::kAvif ? "av1"
                        : header.type == ImageType::kHeic ? "hevc"
                                                          : metadata.container;
  const std::optional<CodePoints> colors = readImageColors(header.type, file).codePoints;
  if (colors) metadata.hdr = hdrName(static_cast<AVColorTransferCharacteristic>(colors->transfer));
  if (sniffHeifType(file) && isHeifSequence(file)) {
    metadata.omitted.push_back(OmittedContent::kAnimation);
  }
  const bool swapsSides = header.exifOrientation >= 5;
  metadata.width = swapsSides ? header.height : header.width;
  metadata.height = swapsSides ? header.width : header.height;
  if (animation) {
    metadata.durationSeconds = static_cast<double>(animation->endUs) / 1e6;
    metadata.plays = animation->plays;
  }
  return metadata;
}

// Sample aspect ratios beyond this are treated as damage and ignored.
constexpr double kMaxPixelAspect = 16;

void addVideoMetadata(MediaMetadata& metadata, AVFormatContext& context, AVStream& stream) {
  const AVCodecParameters& parameters = *stream.codecpar;
  metadata.kind = MediaMetadata::Kind::kVideo;
  metadata.videoCodec = avcodec_get_name(parameters.codec_id);
  const AVRational aspect = av_guess_sample_aspect_ratio(&context, &stream, nullptr);
  double width = parameters.width, height = parameters.height;
  const double shape = aspect.num > 0 && aspect.den > 0 ? av_q2d(aspect) : 1;
  if (shape > 1 / kMaxPixelAspect && shape < kMaxPixelAspect) width *= shape;
  if (streamOrientation(stream).swapped) std::swap(width, height);
  metadata.width = std::max(1, static_cast<int>(std::lround(width)));
  metadata.height = std::max(1, static_cast<int>(std::lround(height)));
  AVRational rate = stream.avg_frame_rate;
  if (rate.num <= 0 || rate.den <= 0) rate = stream.r_frame_rate;
  if (rate.num > 0 && rate.den > 0) metadata.frameRate = {rate.num, rate.den};
  metadata.hdr = hdrName(parameters.color_trc);
}

// Rejects streams that cannot be decoded before a render is planned with them.
Status checkDecodable(const AVStream* stream) {
  if (stream == nullptr) return {};
  auto decoder = openDecoder(*stream, 1);
  return decoder.ok() ? Status() : Status(decoder.error());
}

}  // namespace

Result<MediaMetadata> probe(const std::string& path) {
  FW_ASSIGN_OR_RETURN(const auto file, LocalFile::open(path));
  std::vector<uint8_t> start(static_cast<size_t>(std::min<int64_t>(kSignatureBytes, file->size())));
  FW_RETURN_IF_ERROR(file->read(0, start));
  FW_RETURN_IF_ERROR(rejectForeignText(start));
  if (sniffImageType(start) || sniffForeignImage(start) != nullptr) return probeImage(path);

  FW_ASSIGN_OR_RETURN(auto demuxer, Demuxer::open(path));
  AVStream* video = demuxer->videoStream();
  AVStream* audio = demuxer->audioStream();
  FW_RETURN_IF_ERROR(checkDecodable(video));
  if (video == nullptr) FW_RETURN_IF_ERROR(checkDecodable(audio));

  MediaMetadata metadata;
  metadata.kind = MediaMetadata::Kind::kAudio;
  metadata.container = demuxer->container();
  if (video != nullptr) addVideoMetadata(metadata, demuxer->context(), *video);
  // A video whose audio cannot be decoded counts as silent.
  if (audio != nullptr && checkDecodable(audio).ok()) {
    metadata.hasAudio = true;
    metadata.audioCodec = avcodec_get_name(audio->codecpar->codec_id);
    if (demuxer->audioStreamCount() > 1) metadata.omitted.push_back(OmittedContent::kAudioTracks);
  } else if (audio != nullptr) {
    metadata.omitted.push_back(OmittedContent::kAudio);
  }
  FW_ASSIGN_OR_RETURN(const int64_t endUs, demuxer->findEndUs(video != nullptr ? *video : *audio));
  if (endUs <= 0) return unreadableMedia("the file is damaged: it has no duration");
  FW_RETURN_IF_ERROR(checkLength(endUs));
  metadata.durationSeconds = static_cast<double>(endUs) / 1e6;
  if (demuxer->stopsEarly()) metadata.omitted.push_back(OmittedContent::kEnd);
  if (metadata.hdr == "pq") {
    FW_ASSIGN_OR_RETURN(metadata.mastering, readMasteringDisplay(path));
  }
  return metadata;
}

}  // namespace framewright
