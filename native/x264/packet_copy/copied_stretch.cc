#include "x264/packet_copy/copied_stretch.h"

#include <algorithm>

#include "core/byte_reader.h"

namespace framewright {

bool splitUnits(std::span<const uint8_t> packet, int lengthBytes,
                std::vector<std::span<const uint8_t>>& units) {
  units.clear();
  ByteReader in(packet);
  while (in.ok() && in.remaining() > 0) {
    const auto unit = in.take(in.read(lengthBytes));
    if (unit.empty()) return false;
    units.push_back(unit);
  }
  return in.ok();
}

h264::Bytes CopiedStretch::slicesOf(const Picture& picture, int id) const {
  std::vector<std::span<const uint8_t>> units;
  h264::Bytes slices;
  splitUnits({picture.packet->data, static_cast<size_t>(picture.packet->size)}, sets.lengthBytes, units);
  for (const auto unit : units) {
    if (h264::typeOf(unit) != h264::kSlice && h264::typeOf(unit) != h264::kIdrSlice) continue;
    const h264::Bytes payload = h264::unescaped(unit);
    const auto slice = h264::readSliceHeader(payload, sets.headers);
    if (slice) h264::appendEscaped(slices, h264::withPictureId(payload, *slice, sets.headers, id));
  }
  return slices;
}

size_t CopiedStretch::closedCount(size_t limit) const {
  int64_t last = -1;
  size_t closed = 0;
  for (size_t i = 0; i < std::min(limit, pictures.size()); ++i) {
    last = std::max(last, pictures[i].shown);
    if (last == static_cast<int64_t>(i)) closed = i + 1;
  }
  return closed;
}

}  // namespace framewright
