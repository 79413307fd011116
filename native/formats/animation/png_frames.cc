#include <algorithm>
#include <cstring>

#include "core/byte_reader.h"
#include "formats/animation/formats.h"
#include "formats/png_chunk.h"

namespace framewright {
namespace {

constexpr uint8_t kSignature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
constexpr size_t kHeaderBytes = 13;
constexpr size_t kSequenceNumberBytes = 4;

struct Chunk {
  std::span<const uint8_t> typed;  // chunk type and data
  uint32_t crc = 0;
  size_t offset = 0, end = 0;  // position in the input

  bool is(const char* type) const { return std::memcmp(typed.data(), type, 4) == 0; }
  std::span<const uint8_t> body() const { return typed.subspan(4); }
};

// False at the end of the input and for truncated chunks.
bool readChunk(ByteReader& reader, Chunk& chunk) {
  chunk.offset = reader.position();
  const uint32_t size = reader.u32();
  chunk.typed = reader.take(size_t{size} + 4);
  chunk.crc = reader.u32();
  chunk.end = reader.position();
  return reader.ok();
}

void append(std::vector<uint8_t>& to, std::span<const uint8_t> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

Result<FoundFrame> readControl(const Chunk& chunk, bool first) {
  ByteReader reader(chunk.body());
  reader.skip(kSequenceNumberBytes);
  const uint32_t width = reader.u32(), height = reader.u32(), x = reader.u32(), y = reader.u32();
  const uint16_t num = reader.u16(), den = reader.u16();
  const uint8_t disposal = reader.u8(), blend = reader.u8();
  if (!reader.ok() || crcOf(chunk.typed) != chunk.crc || std::max({width, height, x, y}) > INT32_MAX)
    return damagedFrame(ImageType::kPng);
  FoundFrame found;
  found.frame.width = static_cast<int>(width);
  found.frame.height = static_cast<int>(height);
  found.frame.x = static_cast<int>(x);
  found.frame.y = static_cast<int>(y);
  // The first frame has no previous contents to restore.
  found.frame.disposal = disposal == 1 || (disposal == 2 && first) ? Disposal::kClear
                         : disposal == 2                           ? Disposal::kRestore
                                                                   : Disposal::kKeep;
  found.frame.blends = blend == 1;
  found.seconds = num / (den == 0 ? 100.0 : den);
  return found;
}

}  // namespace

Result<FoundFrames> findPngFrames(std::span<const uint8_t> file) {
  FoundFrames found;
  ByteReader reader(file);
  reader.skip(sizeof(kSignature));
  bool animated = false;
  for (Chunk chunk; readChunk(reader, chunk) && !chunk.is("IEND");) {
    if (chunk.is("acTL") && chunk.body().size() == 8) {
      animated = true;
      found.plays =
          static_cast<int>(std::min<uint32_t>(ByteReader(chunk.body().subspan(4)).u32(), INT32_MAX));
    } else if (chunk.is("IHDR") || chunk.is("PLTE") || chunk.is("tRNS")) {
      append(found.shared, file.subspan(chunk.offset, chunk.end - chunk.offset));
    } else if (chunk.is("fcTL") && animated) {
      if (found.frames.size() == kMaxAnimationFrames) return tooManyFrames();
      FW_ASSIGN_OR_RETURN(const FoundFrame next, readControl(chunk, found.frames.empty()));
      found.frames.push_back(next);
    } else if (chunk.is("IDAT") || chunk.is("fdAT")) {
      if (!animated) return FoundFrames{};
      if (found.frames.empty()) continue;  // default image for decoders without APNG
      AnimationFrame& frame = found.frames.back().frame;
      if (frame.length == 0) frame.offset = chunk.offset;
      frame.length = chunk.end - frame.offset;
    }
  }
  return found;
}

Result<std::vector<uint8_t>> pngStill(const Animation& animation, const AnimationFrame& frame,
                                      std::span<const uint8_t> bytes) {
  std::vector<uint8_t> still(kSignature, std::end(kSignature));
  ByteReader shared(animation.shared);
  Chunk chunk;
  if (!readChunk(shared, chunk) || !chunk.is("IHDR") || chunk.body().size() != kHeaderBytes)
    return damagedFrame(ImageType::kPng);
  std::vector<uint8_t> header(chunk.body().begin(), chunk.body().end());
  writeBig32(header.data(), static_cast<uint32_t>(frame.width));
  writeBig32(header.data() + 4, static_cast<uint32_t>(frame.height));
  appendPngChunk(still, "IHDR", header);
  append(still, std::span<const uint8_t>(animation.shared).subspan(chunk.end));
  ByteReader reader(bytes);
  while (reader.remaining() > 0 && readChunk(reader, chunk)) {
    const bool numbered = chunk.is("fdAT");
    if (!numbered && !chunk.is("IDAT")) continue;
    if (crcOf(chunk.typed) != chunk.crc || (numbered && chunk.body().size() < kSequenceNumberBytes))
      return damagedFrame(ImageType::kPng);
    appendPngChunk(still, "IDAT", chunk.body().subspan(numbered ? kSequenceNumberBytes : 0));
  }
  appendPngChunk(still, "IEND", {});
  return still;
}

}  // namespace framewright
