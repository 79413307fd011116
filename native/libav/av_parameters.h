#pragma once

#include <algorithm>
#include <span>

#include "bitstream/h264/parameter_sets.h"
#include "libav/av_handle.h"

namespace framewright {

// Other headers for a stream. False when there is no memory.
inline bool setExtradata(AVCodecParameters& parameters, std::span<const uint8_t> bytes) {
  auto* data = static_cast<uint8_t*>(av_mallocz(bytes.size() + AV_INPUT_BUFFER_PADDING_SIZE));
  if (data == nullptr) return false;
  std::copy(bytes.begin(), bytes.end(), data);
  av_freep(&parameters.extradata);
  parameters.extradata = data;
  parameters.extradata_size = static_cast<int>(bytes.size());
  return true;
}

inline std::span<const uint8_t> extradataOf(const AVCodecParameters& parameters) {
  return {parameters.extradata, static_cast<size_t>(parameters.extradata_size)};
}

// A packet of these bytes; null when there is no memory.
inline PacketPtr packetOf(std::span<const uint8_t> bytes) {
  PacketPtr packet(av_packet_alloc());
  if (packet == nullptr || av_new_packet(packet.get(), static_cast<int>(bytes.size())) < 0) return nullptr;
  std::copy(bytes.begin(), bytes.end(), packet->data);
  return packet;
}

// Has the packet of a part name parameter sets by the ids that they have in the whole. False when it is not
// understood, or there is no memory.
inline bool renumber(AVPacket& packet, const h264::ParameterSets& sets, const h264::ParameterSets::Ids& ids) {
  const auto isKept = [&](size_t id) { return ids[id] == static_cast<int>(id); };
  size_t kept = 0;
  while (kept < ids.size() && isKept(kept)) ++kept;
  if (kept == ids.size()) return true;
  h264::Bytes renumbered;
  if (!sets.renumber({packet.data, static_cast<size_t>(packet.size)}, ids, renumbered)) return false;
  const PacketPtr changed = packetOf(renumbered);
  if (changed == nullptr || av_packet_copy_props(changed.get(), &packet) < 0) return false;
  av_packet_unref(&packet);
  av_packet_move_ref(&packet, changed.get());
  return true;
}

}  // namespace framewright
