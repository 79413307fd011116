#pragma once

#include <algorithm>
#include <span>

#include "bitstream/h264/parameter_sets.h"
#include "core/color_tags.h"
#include "libav/av_handle.h"

namespace framewright {

// Replaces the codec headers of a stream. False when out of memory.
inline bool setExtradata(AVCodecParameters& parameters, std::span<const uint8_t> bytes) {
  auto* data = static_cast<uint8_t*>(av_mallocz(bytes.size() + AV_INPUT_BUFFER_PADDING_SIZE));
  if (data == nullptr) return false;
  std::copy(bytes.begin(), bytes.end(), data);
  av_freep(&parameters.extradata);
  parameters.extradata = data;
  parameters.extradata_size = static_cast<int>(bytes.size());
  return true;
}

inline void setColors(AVCodecParameters& parameters, const ColorTags& colors) {
  parameters.color_space = static_cast<AVColorSpace>(colors.matrix);
  parameters.color_primaries = static_cast<AVColorPrimaries>(colors.primaries);
  parameters.color_trc = static_cast<AVColorTransferCharacteristic>(colors.transfer);
}

// The tags of a packet file's stream.
inline ColorTags colorsOf(const AVCodecParameters& parameters) {
  return {parameters.color_space, parameters.color_primaries, parameters.color_trc};
}

inline std::span<const uint8_t> extradataOf(const AVCodecParameters& parameters) {
  return {parameters.extradata, static_cast<size_t>(parameters.extradata_size)};
}

// A packet with a copy of these bytes. Fails with OUT_OF_MEMORY.
inline Result<PacketPtr> makePacket(std::span<const uint8_t> bytes) {
  FW_ASSIGN_OR_RETURN(PacketPtr packet, allocatePacket());
  if (av_new_packet(packet.get(), static_cast<int>(bytes.size())) < 0) return outOfMemory("packet");
  std::copy(bytes.begin(), bytes.end(), packet->data);
  return packet;
}

// Rewrites the parameter set ids in a segment's packet to those of the whole movie. False when the packet
// cannot be parsed or memory is short.
inline bool renumberParameterSets(AVPacket& packet, const h264::ParameterSets& sets,
                                  const h264::ParameterSets::Ids& ids) {
  size_t unchangedCount = 0;
  while (unchangedCount < ids.size() && ids[unchangedCount] == static_cast<int>(unchangedCount))
    ++unchangedCount;
  if (unchangedCount == ids.size()) return true;
  h264::Bytes renumbered;
  if (!sets.renumber({packet.data, static_cast<size_t>(packet.size)}, ids, renumbered)) return false;
  const auto changed = makePacket(renumbered);
  if (!changed.ok() || av_packet_copy_props(changed.value().get(), &packet) < 0) return false;
  av_packet_unref(&packet);
  av_packet_move_ref(&packet, changed.value().get());
  return true;
}

}  // namespace framewright
