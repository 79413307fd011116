#include "x264/packet_copy/copyable_range.h"

#include <algorithm>

#include "core/byte_reader.h"

namespace framewright::x264 {

bool splitLengthPrefixed(std::span<const uint8_t> packet, int nalLengthBytes,
                         std::vector<std::span<const uint8_t>>& units) {
  units.clear();
  ByteReader in(packet);
  while (in.ok() && in.remaining() > 0) {
    const auto unit = in.take(in.read(nalLengthBytes));
    if (unit.empty()) return false;
    units.push_back(unit);
  }
  return in.ok();
}

h264::Bytes CopyableRange::slicesOf(const CodedFrame& frame, int ppsId) const {
  std::vector<std::span<const uint8_t>> units;
  h264::Bytes slices;
  splitLengthPrefixed({frame.packet->data, static_cast<size_t>(frame.packet->size)}, config.nalLengthBytes,
                      units);
  for (const auto unit : units) {
    if (h264::nalType(unit) != h264::kSlice && h264::nalType(unit) != h264::kIdrSlice) continue;
    const h264::Bytes payload = h264::unescape(unit);
    const auto slice = h264::readSliceHeader(payload, config.headers);
    if (slice) h264::appendNal(slices, h264::withPpsId(payload, *slice, config.headers, ppsId));
  }
  return slices;
}

size_t CopyableRange::closedFrameCount(size_t limit) const {
  int64_t last = -1;
  size_t closed = 0;
  for (size_t i = 0; i < std::min(limit, frames.size()); ++i) {
    last = std::max(last, frames[i].displayIndex);
    if (last == static_cast<int64_t>(i)) closed = i + 1;
  }
  return closed;
}

}  // namespace framewright::x264
