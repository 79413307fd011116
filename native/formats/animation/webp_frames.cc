#include <cstring>

#include "core/byte_reader.h"
#include "formats/animation/formats.h"

namespace framewright {
namespace {

constexpr size_t kFileHeaderBytes = 12, kChunkHeaderBytes = 8, kFrameHeaderBytes = 16;

FoundFrame readFrame(std::span<const uint8_t> body, uint64_t offset) {
  ByteReader reader(body, false);
  FoundFrame found;
  AnimationFrame& frame = found.frame;
  frame.x = static_cast<int>(reader.read(3)) * 2;
  frame.y = static_cast<int>(reader.read(3)) * 2;
  frame.width = static_cast<int>(reader.read(3)) + 1;
  frame.height = static_cast<int>(reader.read(3)) + 1;
  found.seconds = reader.read(3) / 1000.0;
  const uint8_t flags = reader.u8();
  frame.blends = (flags & 2) == 0;
  frame.disposal = (flags & 1) != 0 ? Disposal::kClear : Disposal::kKeep;
  frame.offset = offset + kFrameHeaderBytes;
  frame.length = body.size() - kFrameHeaderBytes;
  return found;
}

}  // namespace

Result<FoundFrames> findWebpFrames(std::span<const uint8_t> file) {
  FoundFrames found;
  ByteReader reader(file, false);
  reader.skip(kFileHeaderBytes);
  while (reader.ok() && reader.remaining() >= kChunkHeaderBytes) {
    const ByteReader at = reader;
    reader.skip(4);
    const uint32_t size = reader.u32();
    const size_t offset = reader.position();
    const auto body = reader.take(size);
    if (!reader.ok()) break;
    if (at.startsWith("ANIM", 4) && size >= 6) {
      found.plays = ByteReader(body.subspan(4), false).u16();
    } else if (at.startsWith("ANMF", 4)) {
      if (size <= kFrameHeaderBytes) return damagedFrame(ImageType::kWebp);
      if (found.frames.size() == kMaxAnimationFrames) return tooManyFrames();
      found.frames.push_back(readFrame(body, offset));
    }
    if ((size & 1) != 0 && reader.remaining() > 0) reader.skip(1);
  }
  return found;
}

Result<std::vector<uint8_t>> webpStill(const AnimationFrame& frame, std::span<const uint8_t> bytes) {
  std::vector<uint8_t> riff{'R', 'I', 'F', 'F', 0, 0, 0, 0, 'W', 'E', 'B', 'P'};
  // The alpha flag is always allowed.
  riff.insert(riff.end(), {'V', 'P', '8', 'X', 10, 0, 0, 0, 0x10, 0, 0, 0});
  for (const int side : {frame.width - 1, frame.height - 1}) {
    for (int shift = 0; shift < 24; shift += 8) riff.push_back(static_cast<uint8_t>(side >> shift));
  }
  riff.insert(riff.end(), bytes.begin(), bytes.end());
  writeLittle32(riff.data() + 4, static_cast<uint32_t>(riff.size() - 8));
  return riff;
}

}  // namespace framewright
