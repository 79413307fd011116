#include "libav/demux/read_mastering.h"

#include <algorithm>
#include <cmath>

#include "libav/av_version.h"
#include "libav/codec_policy.h"
#include "libav/demux/demuxer.h"

namespace framewright {
namespace {

// Before it a decoder that needs several packets has given a frame.
constexpr int kMaxPackets = 64;

int64_t unitsOf(const AVRational& value, int unit, int64_t max) {
  if (value.den <= 0) return 0;
  return std::clamp<int64_t>(std::llround(av_q2d(value) * unit), 0, max);
}

// Metadata without a plausible peak or primaries counts as unknown.
std::optional<MasteringDisplay> displayOf(const AVMasteringDisplayMetadata* metadata) {
  if (metadata == nullptr || metadata->has_luminance == 0) return std::nullopt;
  constexpr int kUnit = MasteringDisplay::kChromaticityUnit;
  constexpr int64_t kMaxNits = 10000, kMinPeakNits = 50;
  MasteringDisplay display;
  display.maxLight =
      unitsOf(metadata->max_luminance, MasteringDisplay::kLightUnit, kMaxNits * MasteringDisplay::kLightUnit);
  if (display.maxLight < kMinPeakNits * MasteringDisplay::kLightUnit) return std::nullopt;
  display.minLight = unitsOf(metadata->min_luminance, MasteringDisplay::kLightUnit, display.maxLight / 2);
  if (metadata->has_primaries == 0) return display;
  const auto point = [](const AVRational* xy) {
    return MasteringDisplay::Chromaticity{static_cast<int>(unitsOf(xy[0], kUnit, kUnit)),
                                          static_cast<int>(unitsOf(xy[1], kUnit, kUnit))};
  };
  const auto& primaries = metadata->display_primaries;
  const MasteringDisplay::Chromaticity points[] = {point(primaries[0]), point(primaries[1]),
                                                   point(primaries[2]), point(metadata->white_point)};
  if (std::ranges::any_of(points, [](const auto& xy) { return xy[0] == 0 || xy[1] == 0; })) return display;
  display.red = points[0], display.green = points[1], display.blue = points[2], display.white = points[3];
  return display;
}

// Null: none could be decoded.
Result<FramePtr> firstFrame(Demuxer& demuxer, AVStream& stream) {
  FW_ASSIGN_OR_RETURN(const CodecContextPtr decoder, openDecoder(stream, 1));
  FW_ASSIGN_OR_RETURN(const PacketPtr packet, allocatePacket());
  FW_ASSIGN_OR_RETURN(FramePtr frame, allocateFrame());
  demuxer.select(stream);
  for (int i = 0; i < kMaxPackets; ++i) {
    FW_ASSIGN_OR_RETURN(const bool more, demuxer.read(*packet));
    avcodec_send_packet(decoder.get(), more ? packet.get() : nullptr);
    av_packet_unref(packet.get());
    if (avcodec_receive_frame(decoder.get(), frame.get()) >= 0) return frame;
    if (!more) break;
  }
  return FramePtr();
}

}  // namespace

Result<std::optional<MasteringDisplay>> readMasteringDisplay(const std::string& path) {
  FW_ASSIGN_OR_RETURN(const auto demuxer, Demuxer::open(path));
  AVStream* const stream = demuxer->videoStream();
  if (stream == nullptr || stream->codecpar->color_trc != AVCOL_TRC_SMPTE2084)
    return std::optional<MasteringDisplay>();
  const auto inHeader =
      displayOf(sideDataOf<AVMasteringDisplayMetadata>(*stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA));
  if (inHeader) return inHeader;
  FW_ASSIGN_OR_RETURN(const FramePtr frame, firstFrame(*demuxer, *stream));
  const AVFrameSideData* const side =
      frame == nullptr ? nullptr
                       : av_frame_get_side_data(frame.get(), AV_FRAME_DATA_MASTERING_DISPLAY_METADATA);
  const auto inFrame =
      displayOf(side == nullptr ? nullptr : reinterpret_cast<const AVMasteringDisplayMetadata*>(side->data));
  return std::optional<MasteringDisplay>(inFrame.value_or(MasteringDisplay{}));
}

}  // namespace framewright
